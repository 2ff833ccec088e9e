//! Labels: measurements add up, fitted labels fit, and problems are reported.

use figures::scene::Colour;
use figures::text::{Align, Family, Problem, TextError, TextStyle, Typesetter, escape};
use proptest::prelude::*;
use std::sync::LazyLock;

static SETTER: LazyLock<Typesetter> = LazyLock::new(|| setter(&Family::NewComputerModern));

fn setter(family: &Family) -> Typesetter {
    Typesetter::new(family).expect("a bundled face")
}

fn style(size: f64) -> TextStyle {
    TextStyle { size, bold: false, italic: false, colour: Colour::hex(0) }
}

fn width(source: &str) -> f64 {
    SETTER.set(source, &style(10.0)).expect(source).body().w
}

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
fn measures_are_those_of_computer_modern() {
    // In Computer Modern a digit is half as wide as the font size, and a capital 0.683 times as high.
    let digits = SETTER.set("01234", &style(10.0)).unwrap();
    assert!((digits.body().w - 25.0).abs() < 0.01, "{:?}", digits.body());
    assert!((digits.body().h - 6.83).abs() < 0.01, "{:?}", digits.body());
    assert!((width("$01234$") - 25.0).abs() < 0.01);
    // Twice the size is twice the box.
    let large = SETTER.set("01234", &style(20.0)).unwrap();
    assert!((large.area().w - 2.0 * digits.area().w).abs() < 1e-9);
    assert!((large.area().h - 2.0 * digits.area().h).abs() < 1e-9);
}

#[test]
fn the_area_holds_the_body_and_the_ink() {
    for source in
        ["x", "gy", "$\\frac{1}{2}$", "$f$", "Å", "one\ntwo lines\nj", "", " ", "$\\sum_{i}^{n} x^{2^2}$"]
    {
        let label = SETTER.set(source, &style(9.0)).unwrap();
        assert!(label.area().encloses(&label.body()), "{source}: {:?} {:?}", label.area(), label.body());
    }
    let deep = |source: &str| SETTER.set(source, &style(9.0)).unwrap().area().bottom();
    assert_eq!(deep("H"), 0.0);
    assert!(deep("g") > 1.0 && deep("g") < 3.0);
    let high = |source: &str| -SETTER.set(source, &style(9.0)).unwrap().area().y;
    assert_eq!(high("x"), high("H"), "a label is never lower than a capital");
    assert!(high("$10^{-7}$") > high("H"));
}

#[test]
fn lines_are_below_one_another() {
    let one = SETTER.set("ab", &style(10.0)).unwrap();
    let two = SETTER.set("ab\nabcd", &style(10.0)).unwrap();
    assert!(two.body().h > one.body().h + 10.0, "lines are further apart than their size");
    assert_eq!(two.body().w, width("abcd"));
    assert_eq!(two.text(), "ab\nabcd");
    // A fraction needs more room than a letter.
    let tall = SETTER.set("ab\n$\\frac{\\frac{1}{2}}{3}$", &style(10.0)).unwrap();
    assert!(tall.body().h > two.body().h);
}

#[test]
fn bold_is_wider_and_leaves_formulas_alone() {
    let bold = |source| SETTER.set(source, &TextStyle { bold: true, ..style(10.0) }).unwrap();
    assert!(bold("Accuracy").body().w > width("Accuracy"));
    assert_eq!(bold("$x+y$").body().w, width("$x+y$"));
    assert_eq!(bold("x").look(), "10pt bold #000000");
}

#[test]
fn a_label_reads_as_it_is_meant() {
    let text = |source: &str| SETTER.set(source, &style(10.0)).unwrap().text().to_owned();
    assert_eq!(text(r"$\|g_L\|$ (log)"), "‖gL‖ (log)");
    assert_eq!(text(r"\$5, 50\% and 100%, a\_b {c} #1 \\"), r"$5, 50% and 100%, a_b {c} #1 \");
    assert_eq!(text("-3 and $-3$"), "-3 and −3");
}

#[test]
fn every_family_sets_every_kind_of_label() {
    for family in [Family::NewComputerModern, Family::Libertinus, Family::Sans] {
        let setter = setter(&family);
        for source in ["Test accuracy — “q” Ångström", r"$\|\partial\mathcal{L}/\partial h_l\|_2$ (median)"]
        {
            for (bold, italic) in [(false, false), (true, false), (false, true)] {
                let label = setter.set(source, &TextStyle { bold, italic, ..style(8.0) }).unwrap();
                assert!(label.body().w > 50.0);
            }
        }
    }
}

#[test]
fn families_have_names() {
    let names: Vec<Family> = Family::NAMES.iter().map(|name| name.parse().unwrap()).collect();
    assert_eq!(names, [Family::NewComputerModern, Family::Libertinus, Family::Sans]);
    assert_eq!("my/Font.OTF".parse(), Ok(Family::File("my/Font.OTF".into())));
    let error = "Helvetica".parse::<Family>().unwrap_err().to_string();
    assert!(
        error.contains("`Helvetica`") && error.contains("`libertinus`") && error.contains(".ttf"),
        "{error}"
    );
}

#[test]
fn a_font_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("a.ttf", &b"not a font"[..]), ("b.otf", b""), ("c.ttf", b"OTTO\0\x01")] {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let error = Typesetter::new(&Family::File(path)).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let missing = Typesetter::new(&Family::File(folder.path().join("none.ttf"))).unwrap_err().to_string();
    assert!(missing.contains("none.ttf") && missing.contains("read"), "{missing}");
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

#[test]
fn colours_in_formulas_are_understood() {
    for source in [r"$\textcolor{red}{x}$", r"$\color{#2166ac} x$", r"$\textcolor[RGB]{1,2,3}{x}$"] {
        assert!(SETTER.set(source, &style(10.0)).is_ok(), "{source}");
    }
}

#[test]
fn a_name_without_spaces_breaks_where_names_do() {
    let source = escape("runs/a_very_long_directory/dfa-s42");
    let label = SETTER.wrap(&source, &style(10.0), 80.0, Align::Left).unwrap();
    assert_eq!(label.text().replace('\n', ""), "runs/a_very_long_directory/dfa-s42", "nothing is lost");
    assert!(label.text().lines().count() > 1);
    assert!(
        label.text().lines().rev().skip(1).all(|line| line.ends_with(['/', '_', '-'])),
        "{}",
        label.text()
    );
    let kept = SETTER.wrap("a b\nc", &style(10.0), 500.0, Align::Centre).unwrap();
    assert_eq!(kept.text(), "a b\nc");
}

#[test]
fn shortening_keeps_formulas_whole() {
    let source = r"norm $\|h_L\|_2$ of the last state";
    let full = SETTER.set(source, &style(10.0)).unwrap();
    let mut before = full.body().w;
    for room in (10..(before as usize)).rev() {
        let label = SETTER.shorten(source, &style(10.0), room as f64).unwrap();
        assert!(label.body().w <= room as f64 && label.text().ends_with('…'), "{room}: {}", label.text());
        assert!(label.body().w <= before, "less room, no longer text");
        before = label.body().w;
        assert!(label.text().contains("‖hL‖2") || !label.text().contains('‖'), "{}", label.text());
    }
    assert_eq!(SETTER.shorten(source, &style(10.0), 1e3).unwrap().text(), full.text());
}

/// Characters that New Computer Modern has.
fn plain() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![4 => proptest::char::range(' ', '~'), 1 => proptest::char::range('¡', 'ÿ')],
        0..40,
    )
    .prop_map(|chars| chars.into_iter().filter(|&c| c != '\u{ad}').collect())
}

proptest! {
    #[test]
    fn plain_text_comes_out_as_it_went_in(text in plain()) {
        let label = SETTER.set(&escape(&text), &style(10.0)).unwrap();
        prop_assert_eq!(label.text(), text);
    }

    #[test]
    fn escaped_text_is_never_misunderstood(text in ".{0,60}") {
        match SETTER.set(&escape(&text), &style(10.0)) {
            Ok(_) | Err(TextError::Label { problem: Problem::Glyph(_), .. }) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn more_text_is_no_narrower(a in "[a-zA-Z0-9 ]{1,12}", b in "[a-zA-Z0-9 ]{1,12}") {
        let both = width(&format!("{a}{b}"));
        let wider = width(&a).max(width(&b));
        prop_assert!(both >= wider, "{both} {wider}");
        // Kerning and ligatures move a seam by less than half the size.
        prop_assert!((both - width(&a) - width(&b)).abs() < 5.0);
    }

    #[test]
    fn wrapped_text_keeps_its_width(
        words in proptest::collection::vec(r"[a-z]{1,14}|\$x_[0-9]\$|[a-z]{3,9}[-_/][a-z]{3,20}|\\\\", 1..12),
        room in 30.0..200.0_f64,
    ) {
        let source = words.join(" ");
        let label = SETTER.wrap(&source, &style(9.0), room, Align::Left).unwrap();
        prop_assert!(label.body().w <= room, "{} > {room}: {}", label.body().w, label.text());
        let whole = SETTER.set(&source, &style(9.0)).unwrap();
        if whole.body().w <= room {
            prop_assert_eq!(label.text(), whole.text());
        }
    }
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
