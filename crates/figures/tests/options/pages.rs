//! Widths, heights and arrangement of panels.

use crate::examine::examine;
use crate::{drawn, made};
use figures::scene::Role;
use figures::{FIGURES, VENUES};

const INCH: f64 = 72.0;
const MM: f64 = 72.0 / 25.4;

#[test]
fn venues_have_the_widths_that_their_authors_are_told() {
    // From the style files of the conferences and Nature's guide to figures.
    for (venue, span, width, tallest) in [
        ("neurips", "page", 5.5 * INCH, 9.0 * INCH),
        ("iclr", "page", 5.5 * INCH, 9.0 * INCH),
        ("icml", "page", 6.75 * INCH, 9.0 * INCH),
        ("icml", "column", 3.25 * INCH, 9.0 * INCH),
        ("nature", "column", 89.0 * MM, 170.0 * MM),
        ("nature", "page", 183.0 * MM, 170.0 * MM),
        ("beamer", "page", 140.0 * MM, 68.0 * MM),
    ] {
        let flags = [("venue", venue), ("span", span)];
        for name in ["cifar-accuracy", "cifar-summary", "dissociation", "verdicts", "alignment"] {
            let made = match made(name, &flags) {
                Ok(made) => made,
                Err(why) => panic!("{name}: {why}"),
            };
            // A slide is too low for some figures, which then say so.
            let Ok(scene) = made.drawing.figure.draw(&made.style, &made.setter) else {
                assert_eq!(venue, "beamer", "{name} has no room in {venue}, {span}");
                continue;
            };
            assert!((scene.width - width).abs() < 0.01, "{name} at {venue}: {} wide", scene.width);
            assert!(scene.height <= tallest + 0.01, "{name} at {venue}: {} high", scene.height);
            let faults = examine(&scene, true);
            assert!(faults.is_empty(), "{name} at {venue}, {span}: {faults:?}");
        }
    }
    assert_eq!(VENUES.len(), 5);
}

#[test]
fn letters_of_nature_are_of_5_to_7_points_without_serifs() {
    let style = drawn("cifar-accuracy", &[("venue", "nature")]).style;
    for size in [style.title, style.label, style.tick, style.note] {
        assert!((5.0..=7.0).contains(&size), "{size}");
    }
    assert_eq!(style.family, figures::Family::Sans);
    assert_eq!(drawn("cifar-accuracy", &[("venue", "icml")]).style.family, figures::Family::Libertinus);
}

#[test]
fn a_height_is_met_and_panels_take_it_up() {
    let plots = |scene: &figures::scene::Scene| -> f64 {
        scene.marks.iter().filter(|m| matches!(m.role, Role::Panel(_))).map(|m| m.area.h).sum()
    };
    for name in ["cifar-accuracy", "dissociation", "alignment", "audit-hero"] {
        let natural = drawn(name, &[]).scene();
        for inches in [natural.height / INCH * 0.9, natural.height / INCH * 1.25] {
            let text = format!("{inches:.2}");
            let scene = drawn(name, &[("height", &text)]).scene();
            let wanted = INCH * text.parse::<f64>().expect("a number");
            assert!((scene.height - wanted).abs() < 0.01, "{name}: {} for {wanted}", scene.height);
            assert_eq!(plots(&scene) > plots(&natural), wanted > natural.height, "{name}");
            assert!(examine(&scene, true).is_empty(), "{name} at {text} in");
        }
    }
    let low = drawn("verdicts", &[("height", "1")]);
    let said = low.drawing.figure.draw(&low.style, &low.setter).expect_err("too low").to_string();
    assert!(said.contains("1.00 inches are too low") && said.contains("needs"), "{said}");
}

#[test]
fn columns_are_panels_in_a_row() {
    let rows = |columns: &str| {
        let scene = drawn("alignment", &[("columns", columns)]).scene();
        let mut tops: Vec<i64> = Vec::new();
        for mark in scene.marks.iter().filter(|mark| matches!(mark.role, Role::Panel(_))) {
            tops.push((10.0 * mark.area.y) as i64);
        }
        tops.dedup();
        tops.len()
    };
    // Three rules, one panel for each.
    assert_eq!([rows("1"), rows("2"), rows("3"), rows("8")], [3, 2, 1, 1]);
}

#[test]
fn one_panel_goes_by_its_letter_or_name() {
    let alone = |panel: &str| drawn("cifar-accuracy", &[("panel", panel)]).drawing.figure;
    for panel in ["b", "B", "(b)", "test"] {
        let figure = alone(panel);
        assert_eq!(figure.panels.len(), 1);
        assert_eq!(figure.panels[0].name, "test", "{panel}");
    }
    let hero = drawn("audit-hero", &[("panel", "a")]).drawing.figure;
    assert!(hero.diagram.is_some() && hero.panels.is_empty());
    let table = drawn("cifar-accuracy", &[("panel", "b")]).text("csv", &[]);
    assert!(table.contains("\ntest,") && !table.contains("\ntrain,"));
    let said = made("cifar-accuracy", &[("panel", "tset")]).err().expect("refused");
    assert!(said.contains("no panel `tset`") && said.contains("did you mean `test`?"), "{said}");
    let said = made("cifar-accuracy", &[("panel", "z")]).err().expect("refused");
    assert!(said.contains("a (train)") && said.contains("b (test)"), "{said}");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let refused = |flags: &[(&str, &str)]| made("cifar-accuracy", flags).err().expect("refused");
    assert!(refused(&[("venue", "icml"), ("style", "slides")]).contains("leave it out"));
    assert!(refused(&[("venue", "neurips"), ("span", "column")]).contains("no columns"));
    assert!(refused(&[("span", "column")]).contains("name one too"));
    assert!(refused(&[("venue", "neurips"), ("width", "7")]).contains("5.50 in wide at most"));
    assert!(refused(&[("venue", "beamer"), ("height", "7")]).contains("high at most"));
    for entry in &FIGURES {
        let Ok(made) = made(entry.name, &[]) else { continue };
        if !made.drawing.figure.rows.is_empty() {
            let said = crate::made(entry.name, &[("columns", "2")]).err().expect("refused");
            assert!(said.contains("rows have names"), "{}: {said}", entry.name);
        }
    }
}
