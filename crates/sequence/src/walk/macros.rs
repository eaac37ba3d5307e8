//! Macro definitions, and what their arguments are worth in an invocation.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::arguments::{Reading, skip_blanks, skip_comma, token};
use crate::lines::Mark;
use crate::{Problem, Severity};

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
    /// Scrubbed text.
    pub(super) body: Arc<str>,
    /// Places of the body's lines.
    pub(super) marks: Arc<[Mark]>,
}

/// Bytes behind which the help about a macro ends.
const MOST_USAGE: usize = 200;

fn fail(message: String) -> Problem {
    Problem {
        severity: Severity::Error,
        message,
        help: String::new(),
        at: None,
    }
}

/// Reads `name [formal...]` of a `.macro` line, scrubbed.
///
/// # Errors
/// If a name is missing or repeated, or a qualifier is unknown.
pub(super) fn heading(
    text: &str,
    reading: &mut Reading<'_>,
) -> Result<(String, Vec<Formal>), Problem> {
    let (name, left) = token(skip_blanks(text), reading.alternate);
    if name.is_empty() {
        return Err(fail("`.macro` needs the macro's name".to_owned()));
    }
    let mut formals: Vec<Formal> = Vec::new();
    let mut known = HashSet::new();
    let bad = |rest: &str| {
        let found = super::blocks::shortened(rest);
        let mut problem = fail(format!(
            "`{found}` does not belong among the arguments of `{name}`"
        ));
        "names, with `:req`, `:vararg` or `=default`, blanks or commas between, can stand here"
            .clone_into(&mut problem.help);
        problem
    };
    let blank = skip_blanks(left);
    let mut rest = skip_comma(left);
    if rest.is_empty() && !blank.is_empty() {
        return Err(bad(blank));
    }
    while !rest.is_empty() {
        let (word, left) = token(rest, reading.alternate);
        if word.is_empty() {
            return Err(bad(rest));
        }
        let mut formal = Formal {
            name: word.to_owned(),
            default: String::new(),
            required: false,
            vararg: false,
        };
        rest = skip_blanks(left);
        if let Some(left) = rest.strip_prefix(':') {
            let (qualifier, left) = token(skip_blanks(left), reading.alternate);
            match qualifier {
                "req" => formal.required = true,
                "vararg" => formal.vararg = true,
                other => {
                    let mut problem = fail(format!("`{other}` does not qualify an argument"));
                    "`:req` and `:vararg` do".clone_into(&mut problem.help);
                    return Err(problem);
                }
            }
            rest = skip_blanks(left);
        }
        if let Some(left) = rest.strip_prefix('=') {
            let (default, left) = reading.argument(left)?;
            // One that must be given needs none.
            if !formal.required {
                formal.default = default;
            }
            rest = skip_blanks(left);
        }
        if !known.insert(word) {
            return Err(fail(format!(
                "the macro `{name}` has two arguments `{word}`"
            )));
        }
        let last = formal.vararg;
        formals.push(formal);
        if last {
            return match rest {
                "" => Ok((name.to_owned(), formals)),
                rest => Err(bad(rest)),
            };
        }
        let next = skip_comma(rest);
        if next.is_empty() && !rest.is_empty() {
            return Err(bad(rest));
        }
        rest = next;
    }
    Ok((name.to_owned(), formals))
}

impl Macro {
    /// The values of the formals for an invocation with the operands `text`, scrubbed.
    ///
    /// # Errors
    /// If there are too many, too few, or unknown names.
    pub(super) fn bind(
        &self,
        text: &str,
        reading: &mut Reading<'_>,
    ) -> Result<Vec<String>, Problem> {
        let mut values: Vec<String> = vec![String::new(); self.formals.len()];
        let mut rest = skip_blanks(text);
        let mut position = 0;
        let mut keywords = false;
        let mut index: Option<HashMap<&str, usize>> = None;
        let fail = |message: String| Problem {
            help: self.usage(),
            ..fail(message)
        };
        while !rest.is_empty() {
            if reading.is_keyword(rest) {
                keywords = true;
                let (name, left) = token(rest, false);
                let Some(value) = left.strip_prefix('=').filter(|_| !name.is_empty()) else {
                    return Err(fail(
                        "what stands before `=` is no argument's name".to_owned(),
                    ));
                };
                let index = index.get_or_insert_with(|| {
                    let names = self.formals.iter().map(|formal| formal.name.as_str());
                    names.zip(0..).collect()
                });
                // GNU as takes `a==b` for a keyword, too, and says so where there is no such one.
                let Some(index) = index.get(name).copied() else {
                    return Err(fail(format!(
                        "the macro `{}` has no argument `{name}`",
                        self.name
                    )));
                };
                (values[index], rest) = reading.argument(value)?;
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
                (values[position], rest) = if formal.vararg {
                    (rest.to_owned(), "")
                } else {
                    reading.argument(rest)?
                };
                position += 1;
            }
            rest = skip_comma(rest);
        }
        self.formals
            .iter()
            .zip(values)
            .map(|(formal, value)| {
                if !value.is_empty() {
                    Ok(value)
                } else if formal.required {
                    Err(fail(format!(
                        "the macro `{}` needs a value for `{}`",
                        self.name, formal.name
                    )))
                } else {
                    Ok(formal.default.clone())
                }
            })
            .collect()
    }

    /// How the macro is written, for help.
    fn usage(&self) -> String {
        let mut text = format!("it is defined as `{}", self.name);
        for (index, formal) in self.formals.iter().enumerate() {
            text.push_str(if index == 0 { " " } else { ", " });
            if text.len() > MOST_USAGE {
                text.push_str("...");
                break;
            }
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

#[cfg(test)]
mod tests {
    use std::cell::OnceCell;

    use super::super::scrub::scrub;
    use super::super::substitute::Substitution;
    use super::*;

    fn unknown(_: &str) -> Result<(i64, usize), Problem> {
        Err(fail("no value".to_owned()))
    }

    fn plain<'e>(evaluate: &'e mut super::super::arguments::Evaluate<'e>) -> Reading<'e> {
        Reading {
            alternate: false,
            evaluate,
        }
    }

    fn defined(text: &str) -> Macro {
        let (name, formals) = heading(text, &mut plain(&mut unknown)).expect("a heading");
        Macro {
            name,
            formals,
            body: Arc::from(""),
            marks: Arc::from([]),
        }
    }

    fn check(head: &str, call: &str, expected: &[&str]) {
        let call = scrub(&format!("m {call}"));
        match defined(head).bind(&call[1..], &mut plain(&mut unknown)) {
            Ok(values) => assert_eq!(values, expected, "{head} /{call}"),
            Err(problem) => assert_eq!([problem.message.as_str()], expected, "{head} /{call}"),
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
        let substitution = Substitution {
            names: vec![("a", "x"), ("b", "y")],
            executed: 7,
            index: OnceCell::new(),
            alternate: false,
            is_macro: true,
        };
        let cases = [
            ("\\a\\()\\b", "xy\n"),
            ("\\ab \\a.L\\@", "\\ab \\a.L7\n"),
            ("\\a: \\\\a \"\\n\"", "x: \\x \"\\n\"\n"),
            ("&a&b &c & a", "xy &c & a\n"),
        ];
        for (body, expected) in cases {
            assert_eq!(substitution.apply(body, &mut 0).as_deref(), Ok(expected));
        }
        assert!(substitution.apply("\\(a", &mut 0).is_err());
    }

    #[test]
    fn alternate_bodies() {
        let substitution = Substitution {
            names: vec![("a", "x")],
            executed: 7,
            index: OnceCell::new(),
            alternate: true,
            is_macro: true,
        };
        let mut locals = 0;
        let cases = [
            ("a \"a\" 5a ab a&b\n", "x \"x\" 5x ab xb\n"),
            (
                " LOCAL q, r\nq: r: q&a\n",
                " \n.LL0001: .LL0002: .LL0001x\n",
            ),
            ("\"LOCAL q\"\n", "\"LOCAL q\"\n"),
        ];
        for (body, expected) in cases {
            assert_eq!(
                substitution.apply(body, &mut locals).as_deref(),
                Ok(expected)
            );
        }
        assert_eq!(locals, 2);
        for wrong in ["local a\n", "local q q\n", "local ;\n"] {
            assert!(substitution.apply(wrong, &mut locals).is_err(), "{wrong}");
        }
    }
}
