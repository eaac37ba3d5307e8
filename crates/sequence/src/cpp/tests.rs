//! The preprocessor against GCC's, and its errors.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::{lex, preprocess};
use crate::{Configs, Diagnostic, Include, MemoryReader};

fn run(text: &str, configs: &Configs) -> Result<String, Vec<Diagnostic>> {
    let mut reader = MemoryReader {
        files: vec![Include {
            name: "inner.h".to_owned(),
            text: "#define INNER 7\ninner line INNER\n".to_owned(),
        }],
    };
    preprocess("t.S", &Arc::from(text), &[], &[], configs, &mut reader)
        .map(|(found, _)| found.text.to_string())
}

/// The tokens of each line that has any, so that blanks count only where they separate.
fn words(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .map(|line| {
            let mut tokens = Vec::new();
            lex::tokens(line, &mut tokens);
            tokens.iter().map(|token| token.text.to_string()).collect()
        })
        .filter(|line: &Vec<String>| !line.is_empty())
        .collect()
}

/// What `cpp` makes of it; `None` where there is no `cpp`.
fn gcc(text: &str) -> Option<String> {
    let mut child = Command::new("cpp")
        .args(["-P", "-undef", "-x", "assembler-with-cpp", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn skipped() {
    eprintln!("cpp is not installed: nothing to compare with");
}

fn check(text: &str) {
    let ours = run(text, &Configs::default()).expect("no errors");
    let Some(theirs) = gcc(text) else {
        skipped();
        return;
    };
    // Lines that GCC passes on and GNU as takes for comments are not passed on here.
    let theirs: String = theirs
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(words(&ours), words(&theirs), "{text}");
}

#[test]
fn object_macros() {
    check("#define X 5\n#define Y X+X\nmov $X, %eax # X\nY X1 X.X .LX: X\n");
    check("#define E\nE+E E -E-E-E a E b\n");
    check("#define NEG -1\n-NEG - NEG+NEG NEG-1\n");
    check("#define p 1\n1p p1 0x1e+p .p p.p \\p \\\\p @p %p $p\n");
}

#[test]
fn function_macros() {
    check("#define F(x) [x]\nF(1) F (2) F(\n3\n) F(F(4)) F((5,6)) F(()) F()\nF\n(7) F\nnop\n");
    check("#define G(a,b) a:b\nG(1,2) G(,) G( x , y z ) G(G(1,2),3)\n");
    check("#define O() z\nO() O ( ) O\n");
    check("#define f(x) x+g\n#define g(x) x-f\nf(1)(2)(3)(4)\n");
    check("#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)\n");
}

#[test]
fn rescanning() {
    check("#define a b\n#define b a\na b\n");
    check(
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\np() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
    );
    check("#define foo foo bar\nfoo\n#define self(x) self(x x)\nself(self(1))\n");
}

#[test]
fn pasting_and_strings() {
    check(
        "#define cat(a,b) a##b\ncat(.L,foo) cat(.,foo) cat(foo,.bar) cat(x,) cat(,y) cat(1,2) cat(,)\n",
    );
    check(
        "#define xcat(a,b) cat(a,b)\n#define cat(a,b) a##b\n#define A 1\ncat(A,A) xcat(A,A) xcat(A,x)\n",
    );
    check(
        "#define str(x...) #x\n#define s(x) str(x)\n#define Y 5\nstr( a  b \"c\\n\" , d ) str(%rax) str('\"') s(Y Y) str(Y)\n",
    );
    check(
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\njoin(x, y)\n",
    );
    check(
        "#define X(a) a ## .b\nX(foo)\n#define T(x,y,z) x ## y ## z\nT(1,2,3) T(,4,5) T(6,,7) T(8,9,) T(10,,) T(,11,) T(,,12) T(,,)\n",
    );
}

#[test]
fn variadic_macros() {
    check(
        "#define v(f, x...) f, ## x ; f x\nv(1) v(1,2) v(1,2,3) v(1,)\n#define u(x...) a, ## x\nu() u(1) u(1,)\n",
    );
    check("#define w(...) <__VA_ARGS__>\nw() w(1) w(1, 2,3)\n");
    check("#define e(s, ...) s|__VA_ARGS__|\ne(1) e(1,2,(3,4))\n");
    check("#define S(x...) S1(x)\n#define S1(x...) #x\nS(nop; nop, S(a))\n");
}

#[test]
fn conditionals() {
    check("#if 1 + 2 * 3 == 7 && !defined(X)\nyes\n#else\nno\n#endif\n");
    check(
        "#define X\n#ifdef X\na\n#ifndef Y\nb\n#elif 1\nc\n#else\nd\n#endif\n#endif\n#undef X\n#if defined X\ne\n#elif (2 > 1) ? 0 : 1\nf\n#elif -1 > 0u\ng\n#endif\n",
    );
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 'a' == 97 && 0x10 == 020\nc\n#endif\n");
    check(
        "#if 0 && 1/0\na\n#endif\n#if 1 || 1/0\nb\n#endif\n#if -1 >> 1 == -1\nc\n#endif\n#if ~0 == 0xffffffffffffffff\nd\n#endif\n",
    );
    check("#define F(x) x\n#if F(1) && F(F(1)) && UNKNOWN == 0\na\n#endif\n");
}

/// C's later words: GCC has `#elifdef` in assembler text too; the others are told.
#[test]
fn later_words() {
    check("#define X\n#if 0\na\n#elifdef Y\nb\n#elifndef Y\nc\n#elifdef X\nd\n#endif\n");
    check("#define v(x, ...) x\n#define unused(x, ...) x __VA_OPT__(y)\nv(1, 2)\n");
    fails(
        "#define v(x, ...) x __VA_OPT__(,) __VA_ARGS__\nv(1, 2)\n",
        &[(
            2,
            "`__VA_OPT__` is not supported: write `, ## __VA_ARGS__` for a comma that goes with them",
        )],
    );
    fails(
        "nop\n#include_next <a.h>\n",
        &[(2, "`#include_next` is not supported: use `#include`")],
    );
}

#[test]
fn comments_and_joined_lines() {
    check("#define X 5\na /* b\nc */ d // e\nf \"/* g */\" 'x' it's X /* h */ i\nj\n");
    check("#define LONG a \\\n  b \\\n  c\nLONG\nx \\\ny\nz /* \\\n */ w // v \\\nu\n");
    check("# a comment, isn't it\n # another\nnop # trailing\n#\n");
    check(
        ".ascii \"a \\\nb /* c \" /* d\n *\n / */ e\n#define C /* gone */ 1 // gone\n[C]\n/**/#define D 2\nD\n",
    );
}

/// What `IS_ENABLED` and the file's configs give.
#[test]
fn configs() {
    let mut configs = Configs::default();
    for (name, value) in [
        ("CONFIG_A", "y"),
        ("CONFIG_B", "m"),
        ("CONFIG_C", "12"),
        ("CONFIG_D", "n"),
    ] {
        configs.configs.insert(name.to_owned(), value.to_owned());
    }
    let text = "IS_ENABLED(CONFIG_A) IS_ENABLED(CONFIG_B) IS_BUILTIN(CONFIG_B) \
                IS_ENABLED(CONFIG_C) CONFIG_C IS_ENABLED(CONFIG_D) CONFIG_D\n\
                #if IS_ENABLED(CONFIG_A) && !IS_ENABLED(CONFIG_X)\nyes\n#endif\n\
                #include \"inner.h\"\nINNER\n";
    let found = run(text, &configs).expect("no errors");
    assert_eq!(found, "1 1 0 0 12 0 CONFIG_D\nyes\ninner line 7\n7\n");
}

fn fails(text: &str, expected: &[(u32, &str)]) {
    let errors = run(text, &Configs::default()).expect_err("errors");
    let found: Vec<_> = errors
        .iter()
        .map(|error| (error.line, error.message.as_str()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn errors() {
    fails("nop\n#error no way\n", &[(2, "#error no way")]);
    fails(
        "#if\n#endif\n#else\n#endif\n",
        &[
            (1, "`#if` has no expression"),
            (3, "this `#else` has no `#if`"),
            (4, "this `#endif` has no `#if`"),
        ],
    );
    fails(
        "\n#ifdef X\nnop\n",
        &[(2, "this `#if` is not closed by `#endif`")],
    );
    fails(
        "#define F(x) x\nF(1\nnop\n",
        &[(2, "the arguments of the macro `F` are not closed by `)`")],
    );
    fails(
        "#define F(x) x\n\nF(1,2)\n",
        &[(3, "the macro `F` takes 1 arguments and is given 2")],
    );
    fails(
        "#define F(x,) x\n#define 1 2\n#define G(x\n#define A ##\n",
        &[
            (1, "`` is not a parameter's name"),
            (2, "expected the name of the macro"),
            (3, "the macro's parameters are not closed by `)`"),
            (4, "`##` cannot stand at either end of a macro"),
        ],
    );
    fails(
        "#include \"gone.h\"\n",
        &[(1, "cannot include `gone.h`: there is no file `gone.h` here")],
    );
    fails(
        "#if 1/0\n#endif\n#if 1 +\n#endif\n#if (1\n#endif\n#if 1 2\n#endif\n",
        &[
            (1, "division by zero in this `#if`"),
            (3, "this `#if` ends where a value is expected"),
            (5, "`(` is not closed in this `#if`"),
            (7, "`2` does not belong in this `#if`"),
        ],
    );
    fails("nop /* open\nnop\n", &[(1, "this comment has no end")]);
    let deep = format!("#if {}1\n#endif\n", "(".repeat(5000));
    fails(
        &deep,
        &[(1, "this `#if` is nested more than 200 levels deep")],
    );
}

/// An expansion that doubles at each step ends with an error and not with the memory.
#[test]
fn expansion_is_bounded() {
    let mut text = String::from("#define A0 x x\n");
    for step in 1..60 {
        text.push_str(&format!("#define A{step} A{} A{}\n", step - 1, step - 1));
    }
    text.push_str("A59\n");
    fails(&text, &[(61, "macros expand to more than 200000 tokens")]);
}
