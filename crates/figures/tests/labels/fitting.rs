//! Labels wrapped and shortened to the room that they have, and properties of any text.

use crate::made::{SETTER, style, width};
use figures::text::{Align, Problem, TextError, escape};
use proptest::prelude::*;

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
