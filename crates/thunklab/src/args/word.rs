//! Words and numbers of the command line whose mistakes need more than clap says.

/// `X86_FEATURE_...` or `X86_BUG_...`
pub(super) fn feature(text: &str) -> Result<String, String> {
    let stems = ["X86_FEATURE_", "X86_BUG_"];
    if stems.iter().any(|stem| is_name_of(text, stem)) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "features are X86_FEATURE_... or X86_BUG_...{}",
        with_stem(text, "X86_FEATURE_")
    ))
}

/// `CONFIG_...`, `CONFIG_...=V`
pub(super) fn config(text: &str) -> Result<String, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "y"));
    if is_name_of(name, "CONFIG_") && !value.is_empty() {
        return Ok(text.to_owned());
    }
    Err(format!(
        "configs are CONFIG_NAME, CONFIG_NAME=y, =m, =n or =VALUE{}",
        with_stem(name, "CONFIG_")
    ))
}

fn is_name_of(text: &str, stem: &str) -> bool {
    text.strip_prefix(stem)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_name))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What a bare name may have been meant as.
fn with_stem(text: &str, stem: &str) -> String {
    if !text.is_empty() && text.bytes().all(is_name) && !text.starts_with(stem) {
        format!(", such as {stem}{}", text.to_ascii_uppercase())
    } else {
        String::new()
    }
}

/// A CPU's number.
pub(super) fn cpu(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| String::from("a CPU's number, from 0 as the kernel counts them"))
}

/// `--seed`
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_stem() {
        assert!(feature("X86_FEATURE_RETPOLINE").is_ok());
        assert!(feature("X86_BUG_ITS").is_ok());
        for wrong in ["", "X86_FEATURE_", "X86_FEATURE_A B", "-1"] {
            assert!(feature(wrong).is_err(), "{wrong}");
        }
        let wrong = feature("retpoline").expect_err("no stem");
        assert!(wrong.ends_with("such as X86_FEATURE_RETPOLINE"), "{wrong}");
        assert!(config("CONFIG_A").is_ok() && config("CONFIG_A=3").is_ok());
        for wrong in ["", "CONFIG_", "CONFIG_A=", "=y", "A"] {
            assert!(config(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_whole_and_not_below_zero() {
        assert_eq!((cpu("0"), seed("7")), (Ok(0), Ok(7)));
        for wrong in ["-1", "", "1.5", "x", "99999999999"] {
            assert!(cpu(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["-1", "18446744073709551616", "1e3"] {
            assert!(seed(wrong).is_err(), "{wrong}");
        }
    }
}
