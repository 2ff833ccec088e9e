//! Size, text and faces of a label.

use crate::made::{SETTER, setter, style, width};
use figures::text::{Family, TextStyle, Typesetter};

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
fn colours_in_formulas_are_understood() {
    for source in [r"$\textcolor{red}{x}$", r"$\color{#2166ac} x$", r"$\textcolor[RGB]{1,2,3}{x}$"] {
        assert!(SETTER.set(source, &style(10.0)).is_ok(), "{source}");
    }
}
