//! Register names.

use crate::{Register, RegisterClass};

const LEGACY_8: [&str; 4] = ["al", "cl", "dl", "bl"];
const LEGACY_8_HIGH: [&str; 4] = ["ah", "ch", "dh", "bh"];
const LEGACY_8_REX: [&str; 4] = ["spl", "bpl", "sil", "dil"];
const LEGACY_16: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
const SEGMENTS: [&str; 6] = ["es", "cs", "ss", "ds", "fs", "gs"];

fn position(names: &[&str], name: &str) -> Option<u8> {
    let index = names.iter().position(|&known| known == name)?;
    u8::try_from(index).ok()
}

const fn register(class: RegisterClass, number: u8) -> Register {
    Register { class, number }
}

/// The register of this name, without `%`, in any case.
pub(crate) fn lookup(name: &str) -> Option<Register> {
    let mut buffer = [0_u8; 8];
    let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let lower = buffer.get_mut(..name.len())?;
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        str::from_utf8(lower).ok()?
    } else {
        name
    };
    legacy(name).or_else(|| numbered(name))
}

fn legacy(name: &str) -> Option<Register> {
    use RegisterClass as Class;
    match name.len() {
        2 => {
            let last = name.as_bytes()[1];
            match last {
                b'l' => position(&LEGACY_8, name).map(|number| register(Class::Gpr8, number)),
                b'h' => {
                    position(&LEGACY_8_HIGH, name).map(|number| register(Class::Gpr8High, number))
                }
                b's' => position(&SEGMENTS, name).map(|number| register(Class::Segment, number)),
                b't' => (name == "st").then_some(register(Class::St, 0)),
                _ => position(&LEGACY_16, name).map(|number| register(Class::Gpr16, number)),
            }
        }
        3 => match name {
            "rip" => Some(register(Class::Rip, 0)),
            "eip" => Some(register(Class::Eip, 0)),
            "riz" => Some(register(Class::Riz, 0)),
            "eiz" => Some(register(Class::Eiz, 0)),
            _ => {
                let (first, rest) = name.split_at_checked(1)?;
                match first {
                    "r" => position(&LEGACY_16, rest).map(|number| register(Class::Gpr64, number)),
                    "e" => position(&LEGACY_16, rest).map(|number| register(Class::Gpr32, number)),
                    _ => position(&LEGACY_8_REX, name)
                        .map(|number| register(Class::Gpr8, number + 4)),
                }
            }
        },
        _ => None,
    }
}

fn numbered(name: &str) -> Option<Register> {
    use RegisterClass as Class;
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let (stem, rest) = name.split_at(letters);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = rest.split_at(digits);
    if number.is_empty() || number.len() > 2 || (number.len() > 1 && number.starts_with('0')) {
        return None;
    }
    let number: u8 = number.parse().ok()?;
    let (class, count) = match (stem, suffix) {
        // r16 to r31 are APX's, which no encoding here has.
        ("r", "") => (Class::Gpr64, 16),
        ("r", "d") => (Class::Gpr32, 16),
        ("r", "w") => (Class::Gpr16, 16),
        ("r", "b") => (Class::Gpr8, 16),
        ("xmm", "") => (Class::Xmm, 32),
        ("ymm", "") => (Class::Ymm, 32),
        ("zmm", "") => (Class::Zmm, 32),
        ("k", "") => (Class::Mask, 8),
        ("mm", "") => (Class::Mm, 8),
        ("tmm", "") => (Class::Tmm, 8),
        ("cr", "") => (Class::Control, 16),
        ("dr" | "db", "") => (Class::Debug, 16),
        ("tr", "") => (Class::Test, 8),
        ("bnd", "") => (Class::Bnd, 4),
        _ => return None,
    };
    if stem == "r" && number < 8 {
        return None;
    }
    (number < count).then_some(register(class, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use RegisterClass as Class;

    fn check(name: &str, expected: Option<(Class, u8)>) {
        let found = lookup(name).map(|register| (register.class, register.number));
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn names() {
        check("al", Some((Class::Gpr8, 0)));
        check("dil", Some((Class::Gpr8, 7)));
        check("r9b", Some((Class::Gpr8, 9)));
        check("bh", Some((Class::Gpr8High, 3)));
        check("SP", Some((Class::Gpr16, 4)));
        check("edi", Some((Class::Gpr32, 7)));
        check("rbx", Some((Class::Gpr64, 3)));
        check("r15", Some((Class::Gpr64, 15)));
        check("r16", None);
        check("r17d", None);
        check("r31b", None);
        check("r15d", Some((Class::Gpr32, 15)));
        check("gs", Some((Class::Segment, 5)));
        check("xmm31", Some((Class::Xmm, 31)));
        check("k7", Some((Class::Mask, 7)));
        check("cr8", Some((Class::Control, 8)));
        check("st", Some((Class::St, 0)));
        for wrong in [
            "r7", "r32", "xmm32", "xmm01", "k8", "foo", "", "r", "rflags", "zmmé",
        ] {
            check(wrong, None);
        }
    }
}
