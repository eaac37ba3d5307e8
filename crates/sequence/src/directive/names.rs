//! Names of directives: those that are here, and those that only GNU as has.

use crate::Problem;
use crate::nearest::nearest;
use crate::scanner::{Helped, problem};

/// Every directive that is understood here or by the walk, for suggestions.
const KNOWN: &[&str] = &[
    ".arch",
    ".attach_to_group",
    ".largecomm",
    ".linkonce",
    ".weakref",
    ".bfloat16",
    ".dc.x",
    ".dcb.d",
    ".dcb.s",
    ".dcb.x",
    ".ds.p",
    ".ds.x",
    ".hfloat",
    ".tfloat",
    ".align",
    ".altmacro",
    ".ascii",
    ".asciz",
    ".att_syntax",
    ".balign",
    ".balignl",
    ".balignw",
    ".bss",
    ".byte",
    ".cfi_endproc",
    ".cfi_startproc",
    ".comm",
    ".data",
    ".double",
    ".else",
    ".elseif",
    ".end",
    ".endif",
    ".endm",
    ".endr",
    ".equ",
    ".equiv",
    ".error",
    ".exitm",
    ".file",
    ".fill",
    ".float",
    ".global",
    ".globl",
    ".hidden",
    ".hword",
    ".ident",
    ".if",
    ".ifb",
    ".ifc",
    ".ifdef",
    ".ifeq",
    ".ifge",
    ".ifgt",
    ".ifle",
    ".iflt",
    ".ifnb",
    ".ifnc",
    ".ifndef",
    ".ifne",
    ".incbin",
    ".include",
    ".int",
    ".intel_syntax",
    ".irp",
    ".irpc",
    ".lcomm",
    ".loc",
    ".local",
    ".long",
    ".macro",
    ".noaltmacro",
    ".nops",
    ".octa",
    ".org",
    ".p2align",
    ".p2alignl",
    ".p2alignw",
    ".popsection",
    ".previous",
    ".print",
    ".protected",
    ".purgem",
    ".pushsection",
    ".quad",
    ".rept",
    ".section",
    ".set",
    ".short",
    ".single",
    ".size",
    ".skip",
    ".sleb128",
    ".space",
    ".string",
    ".subsection",
    ".text",
    ".type",
    ".uleb128",
    ".value",
    ".extern",
    ".warning",
    ".weak",
    ".word",
    ".zero",
    ".2byte",
    ".4byte",
    ".8byte",
];

/// What GNU as has and this assembler has not.
const UNSUPPORTED: &[&str] = &[
    ".lsym",
    ".abort",
    ".bundle_align_mode",
    ".bundle_lock",
    ".bundle_unlock",
    ".code16",
    ".code16gcc",
    ".code32",
    ".eqv",
    ".gnu_attribute",
    ".inst",
    ".insn",
    ".irep",
    ".ldouble",
    ".lto_set_symtab_attr",
    ".mri",
    ".offset",
    ".popsect",
    ".reloc",
    ".secrel32",
    ".struct",
    ".symver",
    ".tls_common",
    ".vtable_entry",
    ".vtable_inherit",
    ".warn",
    ".version",
    ".base64",
];

/// Whether a directive takes several symbols, one statement each.
pub(crate) fn takes_symbols(name: &str) -> bool {
    matches!(
        name,
        ".globl"
            | ".global"
            | ".xdef"
            | ".local"
            | ".weak"
            | ".hidden"
            | ".protected"
            | ".internal"
    )
}

/// Whether GNU as has a directive of this name, which no macro hides.
pub(crate) fn is_directive(name: &str) -> bool {
    name.starts_with('.')
        && (KNOWN.contains(&name) || UNSUPPORTED.contains(&name) || name.starts_with(".cfi_"))
}

/// The error of a directive that is not there.
pub(crate) fn unknown(name: &str, at: usize) -> Problem {
    if UNSUPPORTED.contains(&name) {
        return problem(at, name.len(), format!("`{name}` is not supported yet"));
    }
    let error = problem(at, name.len(), format!("there is no directive `{name}`"));
    match nearest(name, KNOWN) {
        Some(found) => error.help(format!("did you mean `{found}`?")),
        None => error,
    }
}

/// Whether `.arch` takes the name: a processor's, `default`, `push`, `pop`, or an extension behind a dot.
pub(super) fn is_architecture(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "default",
        "push",
        "pop",
        "generic64",
        "pentium4",
        "prescott",
        "nocona",
        "core2",
        "corei7",
        "k8",
        "opteron",
        "amdfam10",
        "bdver1",
        "bdver2",
        "bdver3",
        "bdver4",
        "btver1",
        "btver2",
        "znver1",
        "znver2",
        "znver3",
        "znver4",
        "athlon",
        "iamcu",
        "l1om",
        "k1om",
        "generic32",
        "i386",
        "i486",
        "i586",
        "i686",
        "pentium",
        "pentiumpro",
        "pentiumii",
        "pentiumiii",
        "core",
        "k6",
        "k6_2",
        "i8086",
        "i186",
        "i286",
        "pentiumiiimobile",
        "k6-2",
    ];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    match name.strip_prefix('.') {
        Some(extension) => !extension.is_empty() && extension.bytes().all(is_word),
        None => NAMES.contains(&name),
    }
}
