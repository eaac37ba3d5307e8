//! Macro definitions, their arguments and the substitution into their bodies.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::Problem;
use crate::lines::{Mark, string_end};
use crate::scanner::{Helped, Scanner, is_name, problem, starts_name};

/// A parameter of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Formal {
    pub(super) name: String,
    pub(super) default: String,
    pub(super) required: bool,
    pub(super) vararg: bool,
}

/// `.macro` to `.endm`.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) formals: Vec<Formal>,
    pub(super) body: Arc<str>,
    /// Places of the body's lines.
    pub(super) marks: Arc<[Mark]>,
}

/// Blanks as GNU as leaves them before it looks at a macro's arguments: one where both sides could
/// belong to words, none elsewhere. A character constant becomes its number there, too.
pub(super) fn scrub(text: &str) -> String {
    let bytes = text.as_bytes();
    let wordy = |byte: u8| is_name(byte) || matches!(byte, b'\\' | b'"' | b'@');
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' => {
                let before = out.as_bytes().last().copied();
                while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r')) {
                    at += 1;
                }
                let after = bytes.get(at).copied().unwrap_or(0);
                let keep = before.is_some_and(wordy)
                    && (wordy(after) || matches!(after, b'*' | b'%' | b'-' | b'(' | b'[' | b'{'));
                if keep {
                    out.push(' ');
                }
            }
            b'"' => {
                let end = string_end(bytes, at);
                out.push_str(&text[at..end]);
                at = end;
            }
            b'\''
                if bytes
                    .get(at + 1)
                    .is_some_and(|next| next.is_ascii() && *next != b'\\') =>
            {
                let _ = write!(out, "{}", bytes[at + 1]);
                at += 2;
                if bytes.get(at) == Some(&b'\'') {
                    at += 1;
                }
            }
            _ => {
                let end = at + text[at..].chars().next().map_or(1, char::len_utf8);
                out.push_str(&text[at..end]);
                at = end;
            }
        }
    }
    out
}

/// One argument off the front of scrubbed text; quotes come off. Gives it and what is left.
pub(super) fn argument(text: &str, altmacro: bool) -> (String, &str) {
    let text = text.trim_start_matches([' ', '\t']);
    let bytes = text.as_bytes();
    let mut out = String::new();
    match bytes.first() {
        Some(b'"') => {
            let at = quoted(text, &mut out);
            return (out, &text[at..]);
        }
        Some(b'<') if altmacro => {
            let at = angled(text, &mut out);
            return (out, &text[at..]);
        }
        _ => {}
    }
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b',' => break,
            b' ' | b'\t' if open.is_empty() => break,
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'(' | b'[' => open.push(byte),
            b')' if open.last() == Some(&b'(') => {
                open.pop();
            }
            b']' if open.last() == Some(&b'[') => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(&text[..at]);
    (out, &text[at..])
}

/// Takes the string that opens `text`: without its quotes, `""` in it is one quote. Escapes stay
/// as they are. Gives the length.
fn quoted(text: &str, out: &mut String) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    let mut from = 1;
    loop {
        match bytes.get(at) {
            None => {
                out.push_str(&text[from..]);
                return at;
            }
            Some(b'"') if bytes.get(at + 1) == Some(&b'"') => {
                out.push_str(&text[from..=at]);
                at += 2;
                from = at;
            }
            Some(b'"') => {
                out.push_str(&text[from..at]);
                return at + 1;
            }
            // `\"` is a quote that does not end the string; the backslash comes off.
            Some(b'\\') if bytes.get(at + 1) == Some(&b'"') => {
                out.push_str(&text[from..at]);
                from = at + 1;
                at += 2;
            }
            Some(_) => at += 1,
        }
    }
}

/// Takes `<...>` of `.altmacro`, where `!` takes the next character as it is.
fn angled(text: &str, out: &mut String) -> usize {
    let mut depth = 0;
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '!' => {
                if let Some((_, next)) = chars.next() {
                    out.push(next);
                }
                continue;
            }
            '<' => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            '>' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        out.push(char);
    }
    text.len()
}

/// Reads `name [formal...]` of a `.macro` line.
///
/// # Errors
/// If a name is missing or repeated, or a qualifier is unknown.
pub(super) fn heading(text: &str, at: usize) -> Result<(String, Vec<Formal>), Problem> {
    let mut scanner = Scanner::new(text, at);
    scanner.skip_space();
    let start = scanner.at;
    let name = scanner.word();
    if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
        return Err(scanner.expected(start, "the macro's name"));
    }
    let mut formals: Vec<Formal> = Vec::new();
    scanner.eat(b',');
    let parenthesised = scanner.eat(b'(');
    while !scanner.at_end() {
        if parenthesised && scanner.eat(b')') {
            break;
        }
        let start = scanner.at;
        if !starts_name(scanner.peek()) {
            return Err(scanner.expected(start, "an argument's name"));
        }
        let word = scanner.word();
        let mut formal = Formal {
            name: word.to_owned(),
            default: String::new(),
            required: false,
            vararg: false,
        };
        if scanner.eat(b':') {
            scanner.skip_space();
            let at = scanner.at;
            match scanner.word() {
                "req" => formal.required = true,
                "vararg" => formal.vararg = true,
                other => {
                    return Err(problem(
                        at,
                        other.len(),
                        format!("`{other}` does not qualify an argument"),
                    )
                    .help("`:req` and `:vararg` do"));
                }
            }
        }
        if scanner.eat(b'=') {
            let rest = scrub(scanner.rest());
            let (default, left) = argument(&rest, false);
            formal.default = default;
            // Scrubbing shortens; what is left is found again from the end.
            scanner.at = scanner.text.len() - left_length(scanner.rest(), left);
        }
        if formals.iter().any(|known| known.name == formal.name) {
            return Err(problem(
                start,
                word.len(),
                format!("the macro `{name}` has two arguments `{word}`"),
            ));
        }
        if formals.last().is_some_and(|last| last.vararg) {
            return Err(problem(
                start,
                word.len(),
                "nothing can follow a `:vararg` argument",
            ));
        }
        formals.push(formal);
        scanner.eat(b',');
    }
    Ok((name.to_owned(), formals))
}

/// How many bytes at the end of `raw` scrub to `left`.
fn left_length(raw: &str, left: &str) -> usize {
    if left.is_empty() {
        return 0;
    }
    raw.char_indices()
        .map(|(at, _)| raw.len() - at)
        .find(|&length| {
            let tail = &raw[raw.len() - length..];
            scrub(tail).trim_start() == left.trim_start()
        })
        .unwrap_or(0)
}

impl Macro {
    /// The values of the formals for an invocation with the operands `text`.
    ///
    /// # Errors
    /// If there are too many, too few, or unknown names.
    pub(super) fn bind(&self, text: &str, altmacro: bool) -> Result<Vec<String>, Problem> {
        let mut values: Vec<Option<String>> = vec![None; self.formals.len()];
        let scrubbed = scrub(text);
        let mut rest = scrubbed.trim();
        let mut position = 0;
        let mut keywords = false;
        let fail = |message: String| Problem {
            severity: crate::Severity::Error,
            message,
            help: self.usage(),
            at: None,
        };
        while !rest.is_empty() {
            if let Some((name, value)) = keyword(rest) {
                let index = self.formals.iter().position(|formal| formal.name == name);
                // GNU as takes `a==b` for a keyword, too, and says so where there is no such one.
                let Some(index) = index else {
                    return Err(fail(format!(
                        "the macro `{}` has no argument `{name}`",
                        self.name
                    )));
                };
                keywords = true;
                let (value, left) = if self.formals[index].vararg {
                    (value.to_owned(), "")
                } else {
                    argument(value, altmacro)
                };
                values[index] = Some(value);
                rest = left;
            } else {
                if keywords {
                    return Err(fail(
                        "an argument without a name follows one with a name".to_owned(),
                    ));
                }
                let Some(formal) = self.formals.get(position) else {
                    return Err(fail(format!(
                        "the macro `{}` takes {} and is given more",
                        self.name,
                        match self.formals.len() {
                            0 => "no arguments".to_owned(),
                            1 => "1 argument".to_owned(),
                            count => format!("{count} arguments"),
                        }
                    )));
                };
                let (value, left) = if formal.vararg {
                    (rest.to_owned(), "")
                } else {
                    argument(rest, altmacro)
                };
                values[position] = Some(value);
                position += 1;
                rest = left;
            }
            rest = rest.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
        self.formals
            .iter()
            .zip(values)
            .map(|(formal, value)| match value {
                Some(value) if !value.is_empty() => Ok(value),
                _ if formal.required => Err(fail(format!(
                    "the macro `{}` needs a value for `{}`",
                    self.name, formal.name
                ))),
                _ => Ok(formal.default.clone()),
            })
            .collect()
    }

    /// How the macro is written, for help.
    fn usage(&self) -> String {
        let mut text = format!("it is defined as `{}", self.name);
        for (index, formal) in self.formals.iter().enumerate() {
            text.push_str(if index == 0 { " " } else { ", " });
            text.push_str(&formal.name);
            if formal.required {
                text.push_str(":req");
            }
            if formal.vararg {
                text.push_str(":vararg");
            }
            if !formal.default.is_empty() {
                let _ = write!(text, "={}", formal.default);
            }
        }
        text.push('`');
        text
    }
}

/// `name=value` at the front of scrubbed text.
fn keyword(text: &str) -> Option<(&str, &str)> {
    if !starts_name(*text.as_bytes().first()?) {
        return None;
    }
    let length = text.bytes().take_while(|&byte| is_name(byte)).count();
    let value = text[length..].strip_prefix('=')?;
    Some((&text[..length], value))
}

/// A body with `\name` replaced by values, `\@` by the number of macros executed so far, and `\()`
/// by nothing. An unknown `\name` stays, for a macro that is defined inside may own it.
pub(super) fn substitute(
    body: &str,
    formals: &[Formal],
    values: &[String],
    executed: Option<u64>,
) -> String {
    let mut out = String::with_capacity(body.len() + 16);
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let first = tail.as_bytes().first().copied().unwrap_or(0);
        if first == b'(' {
            // The text up to `)` stands for itself, and is most often nothing.
            match tail.find(')') {
                Some(close) => {
                    out.push_str(&tail[1..close]);
                    rest = &tail[close + 1..];
                }
                None => {
                    out.push('\\');
                    rest = tail;
                }
            }
        } else if first == b'@'
            && let Some(executed) = executed
        {
            let _ = write!(out, "{executed}");
            rest = &tail[1..];
        } else if starts_name(first) {
            let length = name_length(tail);
            let name = &tail[..length];
            match formals.iter().position(|formal| formal.name == name) {
                Some(index) => out.push_str(&values[index]),
                None => {
                    out.push('\\');
                    out.push_str(name);
                }
            }
            rest = &tail[length..];
        } else {
            out.push('\\');
            let length = tail.chars().next().map_or(0, char::len_utf8);
            // `\\` is two characters that belong together.
            let taken = if first == b'\\' { length } else { 0 };
            out.push_str(&tail[..taken]);
            rest = &tail[taken..];
        }
    }
    out.push_str(rest);
    out
}

/// The length of the name that starts `text`. Dots end it, as GNU as's own names in macros do not
/// hold them: `\name.x` is `\name` and `.x`.
fn name_length(text: &str) -> usize {
    text.bytes().take_while(|&byte| is_name(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(text: &str) -> Macro {
        let (name, formals) = heading(text, 0).expect("a heading");
        Macro {
            name,
            formals,
            body: Arc::from(""),
            marks: Arc::from([]),
        }
    }

    fn check(head: &str, call: &str, expected: &[&str]) {
        match defined(head).bind(call, false) {
            Ok(values) => assert_eq!(values, expected, "{head} / {call}"),
            Err(problem) => assert_eq!([problem.message.as_str()], expected, "{head} / {call}"),
        }
    }

    /// As GNU as 2.40 binds them.
    #[test]
    fn arguments() {
        check("m a,b,c", "1 + 2", &["1+2", "", ""]);
        check("m a,b,c", "a b c", &["a", "b", "c"]);
        check("m a,b,c", "\"x y\", \"z,w\"", &["x y", "z,w", ""]);
        check("m a,b,c", "(1 + 2) 3", &["(1+2)3", "", ""]);
        check("m a,b,c", "%eax %ebx", &["%eax", "%ebx", ""]);
        check("m a,b,c", "b=5, a=3", &["3", "5", ""]);
        check("m a,b,c", "8(%rax, %rbx), q", &["8(%rax", "%rbx)", "q"]);
        check("m a,b,c", "a *b", &["a", "*b", ""]);
        check("m a,b,c", "1 -2", &["1", "-2", ""]);
        check("m a,b,c", "a, , c", &["a", "", "c"]);
        check("m a,b,c", "[a b] c", &["[a b]c", "", ""]);
        check("m a,b,c", "'a, b", &["97", "b", ""]);
        check("m a,b,c", "a = 5", &["5", "", ""]);
        check("m a,b,c", "a,b,c,", &["a", "b", "c"]);
        check("m x=5 y:req z=7", "y=1", &["5", "1", "7"]);
        check("m x:vararg", "a, b ,c  d", &["a,b,c d"]);
        check("m a b=1, c=(2)", "x", &["x", "1", "(2)"]);
    }

    #[test]
    fn wrong_arguments() {
        check(
            "m a,b",
            "1 2 3",
            &["the macro `m` takes 2 arguments and is given more"],
        );
        check("m a:req", "", &["the macro `m` needs a value for `a`"]);
        check("m a", "b=1", &["the macro `m` has no argument `b`"]);
        check(
            "m a,b",
            "a=1 2",
            &["an argument without a name follows one with a name"],
        );
    }

    #[test]
    fn bodies() {
        let formals = defined("m a b").formals;
        let values = ["x".to_owned(), "y".to_owned()];
        let cases = [
            ("\\a\\()\\b", "xy"),
            ("\\ab \\a.L\\@", "\\ab \\a.L7"),
            ("\\a: \\\\a \"\\n\"", "x: \\\\a \"\\n\""),
        ];
        for (body, expected) in cases {
            assert_eq!(substitute(body, &formals, &values, Some(7)), expected);
        }
    }
}
