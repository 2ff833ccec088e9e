//! The paper's figures, with the checks that every figure must pass: nothing collides, marks say what they show, and
//! pictures match their references.

#[path = "../../../figures/tests/marks/check.rs"]
mod check;
#[path = "../../../figures/tests/layout/described.rs"]
mod described;
#[path = "../../../figures/tests/layout/examine.rs"]
mod examine;
#[path = "../../../figures/tests/layout/made/mod.rs"]
mod made;
mod overview;
mod pages;

use check::{drawn, requests};
use described::described;
use examine::PLAN;
use figures::Request;
use figures::plot::Style;
use figures::text::Typesetter;
use made::{Plan, records};
use paper::FIGURES;
use paper::published::for_figures;

#[test]
fn nothing_collides() {
    let plans = [
        Plan { rules: 1, ..PLAN },
        Plan { seeds: 1, ..PLAN },
        Plan { seeds: 8, ..PLAN },
        Plan { rules: 10, ..PLAN },
        Plan { rules: 10, long: true, ..PLAN },
        Plan { rules: 5, broken: true, ..PLAN },
        Plan { rules: 5, broken: true, seeds: 1, ..PLAN },
        Plan { epochs: 1, ..PLAN },
        Plan { epochs: 0, seeds: 1, ..PLAN },
        Plan { blocks: 24, ..PLAN },
        Plan { blocks: 1, ..PLAN },
    ];
    plans.into_iter().for_each(|plan| examine::check(&FIGURES, &for_figures(), plan));
}

#[test]
fn nothing_collides_in_ten_thousand_epochs() {
    examine::check(&FIGURES, &for_figures(), Plan { epochs: 10_000, seeds: 1, ..PLAN });
}

#[test]
fn marks_say_what_they_are() {
    let requests = requests(for_figures());
    for request in &requests {
        let drawings = drawn(&FIGURES, request);
        check::are_named(&drawings);
        check::are_in_the_table(&drawings);
    }
    let drawings = drawn(&FIGURES, &requests[0]);
    assert_eq!(drawings.len(), FIGURES.len(), "every figure is tried");
    let rescue = drawings.iter().find(|(name, _)| *name == "penalty-rescue").unwrap();
    check::have_every_seed(rescue.0, &rescue.1);
    check::are_the_same_under_other_labels(&FIGURES, &requests[0]);
}

/// As text against a committed reference, so that a change shows up as a readable diff.
#[test]
fn every_figure_is_as_it_was() {
    let plan = Plan { rules: 4, seeds: 2, epochs: 12, blocks: 3, long: false, broken: false };
    let request = Request { records: records(plan), ..Request::default() };
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    for entry in FIGURES {
        let drawing = (entry.draw)(&request).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        let scene = drawing.figure.draw(&style, &setter).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        insta::assert_snapshot!(entry.name, described(&scene));
    }
}
