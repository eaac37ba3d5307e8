//! The expressions of `#if`.

use super::Preprocessor;
use super::lex::{Kind, Token};
use super::macros::Builtin;

/// Nesting of parentheses and operators.
const MAX_DEPTH: u32 = 200;

/// A value with C's signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: i64,
    unsigned: bool,
}

const fn signed(bits: i64) -> Value {
    Value {
        bits,
        unsigned: false,
    }
}

const fn truth(value: bool) -> Value {
    signed(value as i64)
}

impl Preprocessor<'_> {
    /// Decides `#if TEXT`.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub(super) fn decide(&mut self, text: &str) -> Result<bool, String> {
        let mut tokens = Vec::new();
        super::lex::tokens(text, &mut tokens);
        if tokens.is_empty() {
            return Err("`#if` has no expression".to_owned());
        }
        let tokens = self.resolve_defined(&tokens)?;
        let errors = self.diagnostics.len();
        let tokens = self.expand(tokens, false);
        if self.diagnostics.len() > errors {
            return Ok(false);
        }
        // A macro may give `defined`, which GCC takes as well.
        let tokens = self.resolve_defined(&tokens)?;
        let mut parser = Parser {
            tokens: &tokens,
            at: 0,
            depth: 0,
        };
        let value = parser.ternary(true)?;
        match parser.peek() {
            None => Ok(value.bits != 0),
            Some(found) => Err(format!("`{found}` does not belong in this `#if`")),
        }
    }

    /// Replaces `defined X`, and guards the words that take a name as it stands.
    fn resolve_defined(&mut self, tokens: &[Token]) -> Result<Vec<Token>, String> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if token.kind != Kind::Name || &*token.text != "defined" {
                out.push(token.clone());
                continue;
            }
            let parenthesised = tokens.get(at).is_some_and(|token| token.is("("));
            at += usize::from(parenthesised);
            let Some(name) = tokens.get(at).filter(|token| token.kind == Kind::Name) else {
                return Err("`defined` needs a name".to_owned());
            };
            at += 1;
            if parenthesised {
                if !tokens.get(at).is_some_and(|token| token.is(")")) {
                    return Err("`defined(` is not closed by `)`".to_owned());
                }
                at += 1;
            }
            let known = self
                .lookup(&name.text)
                .is_some_and(|found| found.builtin != Some(Builtin::HasFeature));
            out.push(Token {
                kind: Kind::Number,
                text: if known { "1" } else { "0" }.into(),
                ..token.clone()
            });
        }
        Ok(out)
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: u32,
}

fn rank(operator: &str) -> Option<u8> {
    Some(match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(|token| &*token.text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        self.at += usize::from(found);
        found
    }

    fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!(
                "this `#if` is nested more than {MAX_DEPTH} levels deep"
            ));
        }
        Ok(())
    }

    /// `live` is false where the value does not count, so that dividing by zero is no error there.
    fn ternary(&mut self, live: bool) -> Result<Value, String> {
        self.enter()?;
        let condition = self.binary(0, live)?;
        let value = if self.eat("?") {
            let chosen = condition.bits != 0;
            let first = self.ternary(live && chosen)?;
            if !self.eat(":") {
                return Err("`?` without `:`".to_owned());
            }
            let second = self.ternary(live && !chosen)?;
            Value {
                bits: if chosen { first.bits } else { second.bits },
                unsigned: first.unsigned || second.unsigned,
            }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value, String> {
        self.enter()?;
        let mut left = self.unary(live)?;
        while let Some(operator) = self.peek()
            && let Some(rank) = rank(operator).filter(|&rank| rank > least)
        {
            self.at += 1;
            let right_live = live
                && match operator {
                    "&&" => left.bits != 0,
                    "||" => left.bits == 0,
                    _ => true,
                };
            let right = self.binary(rank, right_live)?;
            left = apply(operator, left, right, live)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value, String> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err("this `#if` ends where a value is expected".to_owned());
        };
        self.at += 1;
        self.enter()?;
        let value = match &*token.text {
            "!" => truth(self.unary(live)?.bits == 0),
            "~" => {
                let value = self.unary(live)?;
                Value {
                    bits: !value.bits,
                    ..value
                }
            }
            "-" => {
                let value = self.unary(live)?;
                Value {
                    bits: value.bits.wrapping_neg(),
                    ..value
                }
            }
            "+" => self.unary(live)?,
            "(" => {
                let value = self.ternary(live)?;
                if !self.eat(")") {
                    return Err("`(` is not closed in this `#if`".to_owned());
                }
                value
            }
            text => match token.kind {
                Kind::Number => number(text)?,
                // C takes a name that is no macro for zero.
                Kind::Name => {
                    if self.peek() == Some("(") {
                        return Err(format!("`{text}` is not a macro with arguments"));
                    }
                    signed(0)
                }
                Kind::Quoted if text.starts_with('\'') => character(text)?,
                Kind::Quoted | Kind::Punctuation | Kind::Nothing => {
                    return Err(format!("`{text}` has no value in an `#if`"));
                }
            },
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn number(text: &str) -> Result<Value, String> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let Some((bits, false)) = crate::expr_parse::integer(digits) else {
        return Err(format!("`{text}` is not an integer that `#if` can take"));
    };
    Ok(Value {
        bits: bits.cast_signed(),
        unsigned: suffix.contains(['u', 'U']) || bits > i64::MAX.cast_unsigned(),
    })
}

fn character(text: &str) -> Result<Value, String> {
    let inside = text[1..].strip_suffix('\'').unwrap_or(&text[1..]);
    let value = match inside.as_bytes() {
        [byte] if *byte != b'\\' => *byte,
        [b'\\', ..] => match crate::strings::escape(inside.as_bytes()) {
            Ok((byte, length)) if length == inside.len() => byte,
            _ => return Err(format!("{text} is not a character")),
        },
        _ => return Err(format!("{text} is not a character")),
    };
    Ok(signed(i64::from(value)))
}

fn apply(operator: &str, left: Value, right: Value, live: bool) -> Result<Value, String> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a.cast_unsigned(), b.cast_unsigned());
    let less = if unsigned { ua < ub } else { a < b };
    let bits = match operator {
        "||" => return Ok(truth(a != 0 || b != 0)),
        "&&" => return Ok(truth(a != 0 && b != 0)),
        "==" => return Ok(truth(a == b)),
        "!=" => return Ok(truth(a != b)),
        "<" => return Ok(truth(less)),
        ">=" => return Ok(truth(!less)),
        ">" => return Ok(truth(!less && a != b)),
        "<=" => return Ok(truth(less || a == b)),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "<<" | ">>" => {
            let count = u32::try_from(b).unwrap_or(u32::MAX);
            let bits = match operator {
                "<<" => ua.checked_shl(count).unwrap_or(0).cast_signed(),
                _ if left.unsigned => ua.checked_shr(count).unwrap_or(0).cast_signed(),
                _ => a >> count.min(63),
            };
            return Ok(Value { bits, ..left });
        }
        _ if b == 0 => {
            if live {
                return Err("division by zero in this `#if`".to_owned());
            }
            0
        }
        "/" if unsigned => (ua / ub).cast_signed(),
        "/" => a.wrapping_div(b),
        _ if unsigned => (ua % ub).cast_signed(),
        _ => a.wrapping_rem(b),
    };
    Ok(Value { bits, unsigned })
}
