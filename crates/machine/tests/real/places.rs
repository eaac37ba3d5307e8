//! Where code finds its data, and what runs round it.

use assemble::{RelocationKind, Symbol, SymbolPlace};
use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use machine::{Backend, Context, Entry, Filter, Random, Real, Width};

use crate::outcome::{measure, plan};
use crate::sequence::{bytes, called, case, code, function, refer, section};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("places::data_is_found_and_protected", data),
    ("places::undefined_symbols_are_named", undefined),
    ("places::setup_and_blocks", blocks),
    ("places::random_tables", random_tables),
    ("places::filters_live_in_workers_of_their_own", filters),
    ("places::what_cannot_run_is_told", not_run),
];

/// A function that traps unless what it loads from a symbol is as expected.
fn data() {
    let text = function(|ops| {
        dynasm!(ops ; .arch x64
            ; mov eax, [DWORD 0] // .data
            ; cmp eax, 0x1234
            ; jne >wrong
            ; mov eax, [rip + 0] // .rodata
            ; cmp eax, 0x5678
            ; jne >wrong
            ; mov [DWORD 0], eax // .bss
            ; mov [DWORD 0], eax // scratch
            ; mov [DWORD 0], eax // entry_stack
            ; ret
            ; wrong:
            ; ud2
        );
    });
    let mut bss = section(".bss", 3, &[]);
    bss.kind = 8;
    bss.size = 0x3000;
    let mut good = code(vec![
        section(".text", 6, &text),
        section(".data", 3, &0x1234_u32.to_le_bytes()),
        section(".rodata", 2, &0x5678_u32.to_le_bytes()),
        bss,
    ]);
    for (index, name) in ["data", "rodata", "bss"].iter().enumerate() {
        good.symbols.push(Symbol {
            name: (*name).into(),
            place: SymbolPlace::In(assemble::SectionId(index as u32 + 1), 0),
            binding: 0,
            kind: 1,
            size: 4,
            visibility: 0,
        });
    }
    // The fields of the loads and stores, by their items.
    let field = |line: usize| {
        let item = good.items[line - 1];
        u64::from(item.offset + item.length - 4)
    };
    let fields = [1, 4, 7, 8, 9].map(field);
    refer(
        &mut good,
        ".text",
        fields[0],
        RelocationKind::Abs32S,
        "data",
    );
    refer(
        &mut good,
        ".text",
        fields[1],
        RelocationKind::Pc32,
        "rodata",
    );
    refer(&mut good, ".text", fields[2], RelocationKind::Abs32S, "bss");
    refer(
        &mut good,
        ".text",
        fields[3],
        RelocationKind::Abs32S,
        "scratch",
    );
    refer(
        &mut good,
        ".text",
        fields[4],
        RelocationKind::Abs32S,
        "entry_stack",
    );
    let mut writes = good.clone();
    // The same code, but its first store goes to .rodata.
    let (text, _) = writes.section(".text").expect("there is code");
    let index = writes
        .symbols
        .iter()
        .position(|symbol| symbol.name == "rodata")
        .expect("it was added");
    writes.sections[text.0 as usize].relocations[2].symbol = index as u32;

    let chained = [Context::Chained];
    let cases = [
        case("good", good, Entry::Call(None), &chained),
        case("writes to .rodata", writes, Entry::Call(None), &chained),
    ];
    let outcome = measure(&cases, 200);
    assert_eq!(outcome.failures.len(), 1, "{:#?}", outcome.failures);
    let failure = outcome.failure(1);
    assert_eq!(failure.signal.as_deref(), Some("SIGSEGV"));
    assert_eq!(failure.line, Some(7));
    assert!(!outcome.samples_of(0, Context::Chained).is_empty());
}

fn undefined() {
    let text = function(|ops| dynasm!(ops ; .arch x64 ; mov eax, [DWORD 0]));
    let cases = ["one", "other"].map(|name| {
        let mut code = code(vec![section(".text", 6, &text)]);
        refer(
            &mut code,
            ".text",
            3,
            RelocationKind::Abs32S,
            &format!("missing_{name}"),
        );
        case(name, code, Entry::Call(None), &[Context::Chained])
    });
    let error = Real::new()
        .measure(&cases, &plan(100), &mut |_| {
            std::ops::ControlFlow::Continue(())
        })
        .expect_err("nothing can be measured");
    for part in ["missing_one", "missing_other", "test.S:1"] {
        assert!(error.message.contains(part), "{error}");
    }
}

fn blocks() {
    let body = bytes(|ops| dynasm!(ops ; .arch x64 ; imul rax, rax ; cmp rbx, 7 ; jne >bad ; bad:));
    // Setup leaves %rbx, and %xmm3; `before` traps unless it finds both, `after` clears neither.
    let setup = bytes(|ops| dynasm!(ops ; .arch x64 ; mov ebx, 7 ; movq xmm3, rbx));
    let before = bytes(|ops| {
        dynasm!(ops ; .arch x64
            ; movq rcx, xmm3
            ; cmp rcx, rbx
            ; je >fine
            ; ud2
            ; fine:
        );
    });
    let after = bytes(|ops| {
        for _ in 0..50 {
            dynasm!(ops ; .arch x64 ; imul rax, rax);
        }
    });
    let of = |name: &str, blocks: &[(&str, &[u8])], entry| {
        let mut sections = vec![section(".text", 6, &body)];
        if entry != Entry::Inline {
            sections = vec![section(".text", 6, &[body.as_slice(), &[0xc3]].concat())];
        }
        sections.extend(blocks.iter().map(|(name, bytes)| section(name, 6, bytes)));
        case(name, code(sections), entry, &[Context::Chained])
    };
    let blocks: &[(&str, &[u8])] = &[
        (".text.setup", &setup),
        (".text.before", &before),
        (".text.after", &after),
    ];
    let cases = [
        of("inline", blocks, Entry::Inline),
        of("called", blocks, Entry::Call(None)),
        of("without setup", &blocks[1..], Entry::Inline),
    ];
    let outcome = measure(&cases, 300);
    // Without setup both registers are zero, which `before` accepts too.
    assert_eq!(outcome.failures, []);
    for index in 0..2 {
        let body = outcome.body(index, Context::Chained);
        let empty = outcome.cycles(Some(index), Context::Chained, true);
        assert!(body > 135.0 && empty > 130.0, "{body} and {empty}");
        let measure = outcome
            .measures
            .iter()
            .find(|measure| measure.case == Some(index) && !measure.is_empty);
        let own = measure
            .and_then(|measure| measure.empty)
            .expect("it has an empty body");
        assert_eq!(outcome.measures[own.0 as usize].case, Some(index));
    }
}

fn random_tables() {
    // Traps if an element is not below its bound, or if all elements are zero.
    let text = function(|ops| {
        dynasm!(ops ; .arch x64
            ; xor ecx, ecx
            ; xor edx, edx
            ; next:
            ; movzx eax, BYTE [DWORD rcx + 0]
            ; cmp eax, 5
            ; jae >wrong
            ; or edx, eax
            ; inc ecx
            ; cmp ecx, 256
            ; jb <next
            ; test edx, edx
            ; jz >wrong
            ; ret
            ; wrong:
            ; ud2
        );
    });
    let mut code = code(vec![section(".text", 6, &text)]);
    let field = u64::from(code.items[2].offset + code.items[2].length - 4);
    refer(&mut code, ".text", field, RelocationKind::Abs32S, "table");
    let mut case = case("table", code, Entry::Call(None), &[Context::Chained]);
    case.randoms.push(Random {
        symbol: "table".to_owned(),
        count: 256,
        below: 5,
        width: Width::Byte,
    });
    let outcome = measure(&[case], 200);
    assert_eq!(outcome.failures, []);
    assert!(outcome.rounds > 0);
}

fn not_run() {
    let mut ring0 = called("ring 0", |ops| dynasm!(ops ; .arch x64 ; nop));
    ring0.ring0 = true;
    let mut lacking = called("lacking", |ops| dynasm!(ops ; .arch x64 ; nop));
    lacking.needs.push("3dnowext".to_owned());
    let good = called("good", |ops| dynasm!(ops ; .arch x64 ; nop));
    let outcome = measure(&[ring0, lacking, good], 100);
    assert_eq!(outcome.failures, []);
    let told: Vec<usize> = outcome.not_run.iter().map(|(case, _)| *case).collect();
    assert_eq!(told, [0, 1]);
    assert!(outcome.not_run[1].1.0.contains("3dnowext"));
    assert!(
        outcome
            .measures
            .iter()
            .all(|measure| matches!(measure.case, None | Some(2)))
    );
    assert!(!outcome.samples_of(2, Context::Chained).is_empty());
}

/// A system call under no filter, under one that is answered from a cache, and under a long one.
fn filters() {
    let cases = [
        None,
        Some(Filter::None),
        Some(Filter::Cached),
        Some(Filter::Accept(2000)),
    ]
    .map(|filter| {
        let mut case = called(&format!("{filter:?}"), |ops| {
            // getppid
            dynasm!(ops ; .arch x64 ; mov eax, 110 ; syscall);
        });
        case.syscalls.push("getppid".to_owned());
        case.filter = filter;
        case
    });
    let outcome = measure(&cases, 2000);
    assert_eq!(outcome.failures, []);
    assert!(outcome.rounds > 0, "{} rounds", outcome.rounds);
    let [_, none, cached, long] = [0, 1, 2, 3].map(|case| outcome.body(case, Context::Chained));
    assert!(
        long > 1.5 * none,
        "{long} cycles under a filter, {none} without"
    );
    assert!(
        long > 1.2 * cached,
        "{long} cycles run, {cached} from the cache"
    );
    // Every complete round has a sample of every measure.
    for case in 0..4 {
        let samples = outcome.samples_of(case, Context::Chained);
        assert!(samples.len() >= outcome.rounds as usize);
    }
}
