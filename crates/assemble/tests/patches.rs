//! Patches as they are mailed, under `#: diff`.

use assemble::{Code, assemble};
use sequence::{Diagnostic, MemoryReader, Options, Sequence};

fn read(text: &str) -> Result<Sequence, Vec<Diagnostic>> {
    Sequence::read(
        "a.S",
        text,
        &mut MemoryReader::default(),
        &Options::default(),
    )
}

fn variant(sequence: &Sequence, index: usize) -> Result<Code, Vec<Diagnostic>> {
    let mut program = sequence.program(index, &sequence.default_params());
    Ok(assemble(&mut program, &mut MemoryReader::default())?.code)
}

fn bytes(code: &Code) -> Vec<u8> {
    code.section(".text").expect(".text").1.bytes.clone()
}

/// As a mail's answer quotes it.
const QUOTED: &str = "\
#: title   two counts
#: diff    before after
> From: someone
> Subject: [PATCH] count in %cl
> ---
>  arch/x86/entry/entry_64.S | 4 ++--
> diff --git a/arch/x86/entry/entry_64.S b/arch/x86/entry/entry_64.S
> index 0123456..789abcd 100644
> --- a/arch/x86/entry/entry_64.S
> +++ b/arch/x86/entry/entry_64.S
> @@ -10,6 +10,6 @@ SYM_CODE_START(other)
>  SYM_FUNC_START(f)
> -\tmovl\t$5, %ecx
> +\tmovb\t$5, %cl
>  1:
> -\tsubl\t$1, %ecx
> +\tsubb\t$1, %cl
> \tjnz\t1b
>
>  \tRET
>  SYM_FUNC_END(f)
> -- 
> 2.40.1
#: baseline before
";

#[test]
fn both_sides_assemble_and_keep_their_lines() {
    let sequence = read(QUOTED).expect("it reads");
    let names: Vec<&str> = sequence
        .variants
        .iter()
        .map(|found| found.name.as_str())
        .collect();
    assert_eq!(names, ["before", "after"]);
    assert_eq!(sequence.text.as_ref(), QUOTED);
    let before = variant(&sequence, 0).expect("it assembles");
    let after = variant(&sequence, 1).expect("it assembles");
    assert_eq!(
        bytes(&before),
        [0xb9, 5, 0, 0, 0, 0x83, 0xe9, 1, 0x75, 0xfb, 0xc3, 0xcc]
    );
    assert_eq!(
        bytes(&after),
        [0xb1, 5, 0x80, 0xe9, 1, 0x75, 0xfb, 0xc3, 0xcc]
    );
    let lines = |code: &Code| -> Vec<u32> {
        let items = code.items.iter().filter(|item| item.length > 0);
        items.map(|item| item.line).collect()
    };
    assert_eq!(lines(&before), [13, 16, 18, 20, 20]);
    assert_eq!(lines(&after), [14, 17, 18, 20, 20]);
}

#[test]
fn errors_name_the_files_lines() {
    let text = QUOTED.replace("subb\t$1, %cl", "subb\t$1, %ecx");
    let sequence = read(&text).expect("it reads");
    let errors = variant(&sequence, 1).expect_err("%ecx has four bytes");
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].line, errors[0].column), (17, 5));
}

#[test]
fn a_hunk_without_its_label_is_explained() {
    let text = "#: diff a b\n@@ -1,2 +1,2 @@ f\n-\tnop\n+\tpause\n \tjnz 1b\n\tjmp .Lout\n";
    let sequence = read(text).expect("it reads");
    for index in [0, 1] {
        let errors = variant(&sequence, index).expect_err("there is no label");
        assert_eq!(errors[0].line, 5);
        assert!(errors[0].help.contains("git diff -W"), "{:?}", errors[0]);
    }
    let text = text.replace("jnz 1b", "nop");
    let sequence = read(&text).expect("it reads");
    let errors = variant(&sequence, 0).expect_err("there is no label");
    assert_eq!(errors[0].line, 6);
    assert!(errors[0].help.contains("git diff -W"), "{:?}", errors[0]);
}

#[test]
fn lines_that_are_no_patch_s() {
    let errors = read("#: diff a b\n nop\nret\n").expect_err("no mark");
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].line, errors[0].text.as_str()), (3, "ret"));
    let errors = read("nop\n#: diff a\n nop\n").expect_err("one name");
    assert_eq!(errors[0].line, 2);
    assert!(errors[0].help.contains("diff OLD NEW"), "{:?}", errors[0]);
}

/// Bytes of `.text` of a file's one variant.
fn text_of(text: &str) -> Vec<u8> {
    let mut reader = MemoryReader::default();
    let sequence = Sequence::read("a.S", text, &mut reader, &Options::default());
    let sequence = sequence.unwrap_or_else(|errors| panic!("{errors:#?}"));
    let mut program = sequence.program(0, &sequence.default_params());
    let code = assemble(&mut program, &mut reader)
        .expect("it assembles")
        .code;
    let (_, section) = code.section(".text").expect("there is always one");
    section.bytes.clone()
}

/// What Linux 6.4 and later have in place of `size` bytes of padding: one NOP, or a jump over more.
fn padding(size: u8) -> Vec<u8> {
    let long = [0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0];
    match size {
        0 => vec![],
        1 => vec![0x90],
        2 => vec![0x66, 0x90],
        3 => vec![0x0f, 0x1f, 0],
        4 => vec![0x0f, 0x1f, 0x40, 0],
        5 => vec![0x0f, 0x1f, 0x44, 0, 0],
        6 => vec![0x66, 0x0f, 0x1f, 0x44, 0, 0],
        7 => vec![0x0f, 0x1f, 0x80, 0, 0, 0, 0],
        8 => long.to_vec(),
        9 => [&[0x2e], &long[..]].concat(),
        10 => [&[0x66, 0x2e], &long[..]].concat(),
        11 => [&[0x66, 0x66, 0x2e], &long[..]].concat(),
        more => {
            let mut bytes = vec![0xeb, more - 2];
            bytes.resize(usize::from(more), 0xcc);
            bytes
        }
    }
}

#[test]
fn alternatives_are_padded_as_the_kernel_pads_them() {
    for size in 0..40 {
        let long = format!("nop{}", "; nop".repeat(usize::from(size)));
        let one = format!("ALTERNATIVE \"ret\", \"{long}\", X86_FEATURE_A\nint3\n");
        let expected = [&[0xc3], &padding(size)[..], &[0xcc]].concat();
        assert_eq!(text_of(&one), expected, "{size}");
        let two = format!(
            "ALTERNATIVE_2 \"ret\", \"nop; nop\", X86_FEATURE_A, \"{long}\", X86_FEATURE_B\nint3\n"
        );
        let expected = [&[0xc3], &padding(size.max(1))[..], &[0xcc]].concat();
        assert_eq!(text_of(&two), expected, "{size}");
        for order in [
            format!(
                "\"{long}\", X86_FEATURE_A, \"nop\", X86_FEATURE_B, \"nop; nop\", X86_FEATURE_C"
            ),
            format!(
                "\"nop\", X86_FEATURE_A, \"{long}\", X86_FEATURE_B, \"nop; nop\", X86_FEATURE_C"
            ),
            format!(
                "\"nop; nop\", X86_FEATURE_A, \"nop\", X86_FEATURE_B, \"{long}\", X86_FEATURE_C"
            ),
        ] {
            let three = format!("ALTERNATIVE_3 \"ret\", {order}\nint3\n");
            assert_eq!(text_of(&three), expected, "{size}");
        }
    }
    // The chosen one is the longest: nothing is padded.
    let chosen = "#: feature X86_FEATURE_A\nALTERNATIVE \"ret\", \"nop; nop\", X86_FEATURE_A\n";
    assert_eq!(text_of(chosen), [0x90, 0x90]);
    // A jump whose length is not known yet: NOPs, whatever their number.
    let jump = "f: ALTERNATIVE \"\", \"jmp f\", X86_FEATURE_A\nret\n";
    assert_eq!(text_of(jump).len(), 6);
}
