//! Structured comments, params, parts and variants.

use sequence::{Context, Entry, Filter, Need, Options, ParamKind, Params, Part, Sequence, Width};

use crate::recorder::{reader, statements, walked};

fn read(text: &str) -> Sequence {
    Sequence::read("dir/t.S", text, &mut reader(), &Options::default()).expect("no errors")
}

/// The error of a text that has exactly one: its line, column, width, message and help.
fn fails(text: &str, line: u32, columns: (u32, u32), message: &str, help: &str) {
    let errors =
        Sequence::read("t.S", text, &mut reader(), &Options::default()).expect_err("an error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    let found = &errors[0];
    assert_eq!(
        (
            found.line,
            (found.column, found.width),
            found.message.as_str(),
            found.help.as_str()
        ),
        (line, columns, message, help),
        "{text}"
    );
    assert_eq!(
        Some(found.text.as_str()),
        text.lines().nth(line as usize - 1)
    );
}

const FULL: &str = "\
#: title      The title
#: about      one
#: about      two
#: source     a@b
#: param      N 5 0x10 -3
#: param      MIX one eight random
#: random     bytes 64 16
#: random.l   longs 8 1000
#: baseline   b
#: verdict    chained
#: between    history chained
#: needs      avx2
#: config     CONFIG_A
#: unroll     4
	nop
#: setup
	mov $1, %eax
#: variant    a   the first one
	ret
#: variant    b
#: entry      inline
#: between    overlap
#: unroll     8
#: align      32
#: offset     3
#: needs      ring0 bmi2
#: config     CONFIG_B=7
#: feature    X86_FEATURE_F
#: syscalls   getppid
#: filter     accept 50
#: probe      history
	lfence
#: before
	pause
#: after
	cpuid
#: body
	mfence
";

#[test]
fn every_key() {
    let sequence = read(FULL);
    assert_eq!(sequence.name, "t");
    assert_eq!(sequence.title, "The title");
    assert_eq!(sequence.about, ["one", "two"]);
    assert_eq!(sequence.sources, ["a@b"]);
    assert_eq!(
        sequence.params[0].kind,
        ParamKind::Integers(vec![5, 16, -3])
    );
    assert_eq!(sequence.randoms[1].width, Width::Long);
    assert_eq!(
        (sequence.baseline.as_str(), sequence.verdict),
        ("b", Context::Chained)
    );
    let [a, b] = sequence.variants.as_slice() else {
        panic!("two variants");
    };
    assert_eq!(
        (a.name.as_str(), a.text.as_str(), a.line),
        ("a", "the first one", 18)
    );
    assert_eq!(a.entry, Entry::Call(None));
    assert_eq!(a.between, [Context::Chained, Context::History]);
    assert_eq!((a.unroll, a.align, a.offset), (Some(4), 64, 0));
    assert_eq!(a.needs, [Need::Feature("avx2".to_owned())]);
    assert_eq!(a.configs.configs.len(), 1);
    assert!(a.has_setup && !a.has_before && !a.has_after && !a.probe_history);
    assert_eq!(b.entry, Entry::Inline);
    assert_eq!(b.between, [Context::Overlap]);
    assert_eq!((b.unroll, b.align, b.offset), (Some(8), 32, 3));
    assert_eq!(b.needs, [Need::Ring0, Need::Feature("bmi2".to_owned())]);
    assert_eq!(b.configs.configs["CONFIG_B"], "7");
    assert_eq!(b.configs.features, ["X86_FEATURE_F"]);
    assert_eq!(b.syscalls, ["getppid"]);
    assert_eq!(b.filter, Some(Filter::Accept(50)));
    assert!(b.has_setup && b.has_before && b.has_after && b.probe_history);
}

#[test]
fn parts_in_order() {
    let recorder = walked(FULL, 1).expect("no errors");
    let found: Vec<_> = recorder
        .lines
        .iter()
        .map(|(part, line)| (*part, line.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Part::Common, ".set N, 5"),
            (Part::Common, ".set MIX_one, 0"),
            (Part::Common, ".set MIX_eight, 1"),
            (Part::Common, ".set MIX_random, 2"),
            (Part::Common, ".set MIX, 0"),
            (Part::Common, ".set SEED, 0"),
            (Part::Common, ".data"),
            (Part::Common, ".balign 64"),
            (Part::Common, "bytes:"),
            (Part::Common, ".zero 64"),
            (Part::Common, ".balign 64"),
            (Part::Common, "longs:"),
            (Part::Common, ".zero 32"),
            (Part::Common, ".text"),
            (Part::Common, "nop"),
            (Part::Setup, ".section .text.setup,\"ax\",@progbits"),
            (Part::Setup, "mov $1, %eax"),
            (Part::Body, ".text"),
            (Part::Body, "lfence"),
            (Part::Before, ".section .text.before,\"ax\",@progbits"),
            (Part::Before, "pause"),
            (Part::After, ".section .text.after,\"ax\",@progbits"),
            (Part::After, "cpuid"),
            (Part::Body, ".text"),
            (Part::Body, "mfence"),
        ]
    );
}

#[test]
fn params() {
    let sequence = read(FULL);
    let chosen = |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        sequence.resolve_params(&pairs.collect::<Params>())
    };
    let found = chosen(&[("N", "0x20"), ("MIX", "random")]).expect("values");
    assert_eq!(
        (found["N"].as_str(), found["MIX"].as_str()),
        ("32", "random")
    );
    assert_eq!(chosen(&[]).expect("defaults"), sequence.default_params());
    assert_eq!(
        chosen(&[("M", "1"), ("MIX", "two"), ("N", "x")]).expect_err("errors"),
        [
            "there is no param `M`; did you mean `N`?",
            "`two` is no value of the param MIX: it takes one, eight, random",
            "`x` is no value of the param N: it takes integers of 64 bits",
        ]
    );
    assert!(chosen(&[("N", "9223372036854775808")]).is_err());
    assert!(chosen(&[("N", "-9223372036854775808")]).is_ok());
}

#[test]
fn lone_variant_is_named_after_the_file() {
    let sequence = read("#: title x\n\tret\n");
    assert_eq!(sequence.variants.len(), 1);
    assert_eq!(
        (
            sequence.variants[0].name.as_str(),
            sequence.baseline.as_str()
        ),
        ("t", "t")
    );
}

/// Macros and configs of one variant do not reach the next.
#[test]
fn variants_are_units() {
    let text = "#define A 1\n#: variant x\n#undef A\n#define A 2\n#define B 3\n.byte A, B\n\
                #: variant y\n#: config CONFIG_Y\n#ifdef CONFIG_Y\n.byte 9\n#endif\n.byte A, B\n";
    assert_eq!(statements(text, 0), [".text", ".byte 2, 3"]);
    assert_eq!(statements(text, 1), [".text", ".byte 9", ".byte 1, B"]);
}

#[test]
fn params_come_before_built_in_words() {
    assert_eq!(
        statements("#: param R8 4\nmov $R8, %eax\nmov $R9, %eax\n", 0),
        ["mov $R8, %eax", "mov $64, %eax",]
    );
}

/// A `.s` file is its own output, and `#:` counts only outside of comments.
#[test]
fn plain_files() {
    let options = Options {
        plain: true,
        ..Options::default()
    };
    let text = "/*\n#: title no\n*/\n#: variant a\nRET # x\n#: variant b\nnop\n";
    let sequence = Sequence::read("t.s", text, &mut reader(), &options).expect("no errors");
    assert_eq!((sequence.title.as_str(), sequence.variants.len()), ("", 2));
    let errors = Sequence::read(
        "t.s",
        "nop\n#if X\n#else\n # else we fail\n#define A 1\n# if x is 0\n",
        &mut reader(),
        &options,
    )
    .expect_err("errors");
    let lines: Vec<_> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [2, 3, 5]);
    assert_eq!(
        errors[0].message,
        "`#if` in a .s file, for which no preprocessor runs"
    );
}

#[test]
fn wrong_keys() {
    fails(
        "nop\n#: varaint a\n",
        2,
        (4, 7),
        "there is no key `varaint`",
        "did you mean `variant`?",
    );
    fails(
        "#:\n",
        1,
        (1, 2),
        "this structured comment has no key",
        "a comment of the assembler starts with `#` and a blank",
    );
    fails(
        "#: title\n",
        1,
        (4, 5),
        "`title` says nothing",
        "write `#: title TEXT`",
    );
    fails(
        "#: title a\n#: title b\n",
        2,
        (4, 7),
        "a second `title`",
        "line 1 has the first",
    );
    fails(
        "#: variant\nnop\n",
        1,
        (4, 7),
        "`variant` has no name",
        "write `#: variant NAME [TEXT]`",
    );
    fails(
        "#: variant a\n#: variant a\n",
        2,
        (12, 1),
        "a second variant `a`",
        "line 1 has the first",
    );
    fails(
        "#: baseline al-ha\n#: variant al-ah\n",
        1,
        (13, 5),
        "there is no variant `al-ha`",
        "did you mean `al-ah`?",
    );
    fails(
        "#: baseline x\n",
        1,
        (13, 1),
        "there is no variant `x`",
        "the file declares no variants; its only one is `t`",
    );
    fails(
        "#: variant a\n#: param N 1\n",
        2,
        (4, 9),
        "`param` stands in a variant",
        "it is for the whole file: put it before the first `#: variant`",
    );
}

#[test]
fn wrong_values() {
    fails(
        "#: param N\n",
        1,
        (4, 7),
        "`param` has no value",
        "write `#: param NAME VALUE...`",
    );
    fails(
        "#: param 1N 1\n",
        1,
        (10, 2),
        "`1N` cannot be a symbol",
        "a symbol is letters, digits and `_`, and starts with no digit",
    );
    fails(
        "#: param N 1 x\n",
        1,
        (14, 1),
        "`x` is not an integer of 64 bits",
        "a param lists either integers or words",
    );
    fails(
        "#: param N 1 1\n",
        1,
        (14, 1),
        "the value `1` is listed twice",
        "",
    );
    fails(
        "#: param N 99999999999999999999\n",
        1,
        (12, 20),
        "`99999999999999999999` is not an integer of 64 bits",
        "a param lists either integers or words",
    );
    fails(
        "#: param SEED 1\n",
        1,
        (10, 4),
        "`SEED` is defined for every sequence",
        "choose another name",
    );
    fails(
        "#: random t 16 257\n",
        1,
        (16, 3),
        "`257` is no number that `random` can take",
        "it takes 1 to 256",
    );
    fails(
        "#: random t 16\n",
        1,
        (4, 11),
        "`random` says too little",
        "write `#: random SYMBOL COUNT BELOW`",
    );
    fails(
        "#: entry jump\n",
        1,
        (10, 4),
        "there is no entry `jump`",
        "`call`, `call SYMBOL` and `inline` are entries",
    );
    fails(
        "#: between chained foo\n",
        1,
        (20, 3),
        "there is no context `foo`",
        "chained, overlap, isolated and history are contexts",
    );
    fails(
        "#: align 48\n",
        1,
        (10, 2),
        "an alignment of 48 is impossible",
        "alignments are powers of two up to 4096",
    );
    fails(
        "#: unroll many\n",
        1,
        (11, 4),
        "`many` is no number that `unroll` can take",
        "it takes 1 to 65536",
    );
    fails(
        "#: config A\n",
        1,
        (11, 1),
        "`A` is not a config",
        "configs are CONFIG_NAME, CONFIG_NAME=y, =m, =n or =VALUE",
    );
    fails(
        "#: feature avx\n",
        1,
        (12, 3),
        "`avx` is not a feature",
        "features are X86_FEATURE_... or X86_BUG_...",
    );
    fails(
        "#: filter deny\n",
        1,
        (4, 11),
        "`filter` is malformed",
        "`none`, `cached` and `accept N` are filters",
    );
    fails(
        "#: body x\n",
        1,
        (9, 1),
        "`x` does not belong here",
        "write `#: body`",
    );
    fails(
        "#: probe x\n",
        1,
        (10, 1),
        "there is no probe `x`",
        "`history` is one",
    );
    fails(
        "#if 0\n#: title x\n#endif\n",
        2,
        (1, 10),
        "this structured comment stands where `#if` leaves text out",
        "",
    );
}
