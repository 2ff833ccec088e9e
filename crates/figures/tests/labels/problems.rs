//! Labels that cannot be set: each problem is named, and none breaks the typesetter.

use crate::made::{SETTER, style};
use figures::text::{Problem, TextError};

fn problem(source: &str) -> Problem {
    match SETTER.set(source, &style(10.0)) {
        Err(TextError::Label { label, problem }) => {
            assert_eq!(label, source);
            problem
        }
        other => panic!("{source} gave {other:?}"),
    }
}

#[test]
fn what_is_not_understood_is_said() {
    assert_eq!(problem("a $x"), Problem::Dollar);
    assert_eq!(problem("$x\ny$"), Problem::Dollar);
    assert_eq!(problem(r"\alpha"), Problem::Outside("alpha".into()));
    assert_eq!(problem(r"ends in \"), Problem::Outside(String::new()));
    assert_eq!(problem("tab\there"), Problem::Control('\t'));
    assert_eq!(problem("実験"), Problem::Glyph('実'));
    assert_eq!(problem("$50%$"), Problem::Percent);
    assert_eq!(problem("${x$"), Problem::Braces("{x".into()));
    assert_eq!(problem("$x}$"), Problem::Braces("x}".into()));
    assert_eq!(problem(r"$\def\a{\a\a}\a$"), Problem::Unfit("def".into()));
    assert_eq!(problem(r"$\textcolor{rde}{x}$"), Problem::Colour("rde".into()));
    assert_eq!(problem(r"$\color x$"), Problem::Colour("x".into()));
    assert_eq!(problem(&"x".repeat(2001)), Problem::Long { length: 2001, most: 2000 });
    assert!(
        matches!(problem(r"$\frobnicate x$"), Problem::Formula { reason, .. } if reason.contains("frobnicate"))
    );
    assert!(matches!(problem(r"$x^$"), Problem::Formula { .. }));
    assert!(matches!(problem(r"$x_1_2$"), Problem::Formula { .. }));
    assert!(matches!(problem(r"$\rule{1em}{99999em}$"), Problem::Size(_)));
    let said = SETTER.set(r"loss \alpha", &style(10.0)).unwrap_err().to_string();
    assert!(said.contains(r"`loss \alpha`") && said.contains("dollar signs"), "{said}");
}

#[test]
fn sizes_that_no_text_has_are_refused() {
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e6] {
        assert!(matches!(SETTER.set("x", &style(size)), Err(TextError::Size { .. })), "{size}");
    }
}

#[test]
fn deep_nesting_is_refused_before_it_costs_anything() {
    for piece in ["{", r"\sqrt{", "x^{", r"\left(", r"\hat", r"\frac{", r"\text{", r"\overline", r"\mathrm"] {
        for count in [30, 250] {
            let source = format!("${}x$", piece.repeat(count));
            assert!(SETTER.set(&source, &style(10.0)).is_err(), "{count} × {piece}");
            let closed = format!("${}x{}$", piece.repeat(count), "}".repeat(count));
            assert!(SETTER.set(&closed, &style(10.0)).is_err(), "{count} × {piece}");
        }
    }
    // Many commands one after another are not deep.
    assert!(SETTER.set(&format!("${}$", r"\alpha".repeat(300)), &style(10.0)).is_ok());
    let deep = format!("${}x{}$", r"\sqrt{".repeat(15), "}".repeat(15));
    assert!(SETTER.set(&deep, &style(10.0)).is_ok());
}

/// Pieces of TeX in any order: most strings of them mean nothing, and some mean too much.
const TOKENS: &[&str] = &[
    "\\frac",
    "{",
    "}",
    "^",
    "_",
    "x",
    "12",
    "\\sqrt",
    "[",
    "]",
    "\\left",
    "(",
    "\\right",
    ")",
    "\\|",
    "\\mathcal",
    "\\hat",
    "\\text",
    "&",
    "\\\\",
    "\\begin{matrix}",
    "\\end{matrix}",
    "\\sum",
    "\\limits",
    "\\boldsymbol",
    "\\mathbf",
    "\\overset",
    "\\underbrace",
    "'",
    "~",
    " ",
    "\\,",
    "\\lambda",
    "=",
    "\\color{red}",
    "\\middle|",
    "\\binom",
    "\\operatorname",
    "\\not",
    "\\ce{",
    "é",
    "\\def\\q",
    "#1",
    "%",
    "\n",
    "\\rule{1em}",
    "\\kern1em",
    "\\kern1e999em",
    "\\big",
    "\\displaystyle",
    "\\xrightarrow",
    "\\cancel",
    "\\tag",
    "\\verb|",
    "\\char",
    "\\mathbb",
    "\\overline",
    "\\phantom",
    "\\raisebox{1em}",
    "\\hline",
    "\\cr",
    "\\substack",
    "\\genfrac",
    "\\mathchoice",
    "\\href",
    "\\pu{",
    "$",
    "\\$",
    "\\",
    "🙂",
    "\u{202e}",
    "\\hspace{NaNem}",
    "\\smash",
    "\\mathllap",
    "\\colorbox{blue}",
    "\\begin{array}{c|c}",
    "\\end{array}",
    "\\hdashline",
    "\\tiny",
    "\\Huge",
    "\\mathop",
];

#[test]
fn no_string_of_tokens_breaks_the_typesetter() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        // xorshift64: the test is the same every time.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n
    };
    let mut set = 0;
    let mut refused = 0;
    for _ in 0..6000 {
        let formula: String = (0..=below(14)).map(|_| TOKENS[below(TOKENS.len())]).collect();
        let source = format!("${formula}$");
        let start = std::time::Instant::now();
        match SETTER.set(&source, &style(10.0)) {
            Ok(label) => {
                let area = label.area();
                assert!([area.x, area.y, area.w, area.h].iter().all(|v| v.abs() < 1e5), "{source} {area:?}");
                set += 1;
            }
            Err(error) => {
                assert!(!error.to_string().contains("the layout panicked"), "{source}");
                refused += 1;
            }
        }
        assert!(start.elapsed().as_secs() < 2, "{source} took {:?}", start.elapsed());
    }
    assert!(
        set > 200 && refused > 200,
        "{set} set, {refused} refused: the tokens are too strange or too tame"
    );
}
