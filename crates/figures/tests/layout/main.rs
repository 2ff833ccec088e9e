//! Nothing collides, whatever the records: no text overlaps another or leaves the page, and no legend or text inside a
//! panel covers a value.

mod examine;
mod made;
mod published;

use examine::{PLAN, examine};
use figures::FIGURES;
use figures::scene::{Rect, Role, Scene};
use made::Plan;

fn check(plan: Plan) {
    examine::check(&FIGURES, &published::published(), plan);
}

#[test]
fn one_rule() {
    check(Plan { rules: 1, ..PLAN });
}

#[test]
fn three_rules_one_seed() {
    check(Plan { seeds: 1, ..PLAN });
}

#[test]
fn three_rules_many_seeds() {
    check(Plan { seeds: 8, ..PLAN });
}

#[test]
fn ten_rules() {
    check(Plan { rules: 10, ..PLAN });
}

#[test]
fn ten_rules_with_very_long_names() {
    check(Plan { rules: 10, long: true, ..PLAN });
}

#[test]
fn values_that_are_missing_infinite_or_no_numbers() {
    check(Plan { rules: 5, broken: true, ..PLAN });
    check(Plan { rules: 5, broken: true, seeds: 1, ..PLAN });
}

#[test]
fn a_single_epoch() {
    check(Plan { epochs: 1, ..PLAN });
    check(Plan { epochs: 0, seeds: 1, ..PLAN });
}

#[test]
fn ten_thousand_epochs() {
    check(Plan { epochs: 10_000, seeds: 1, ..PLAN });
}

#[test]
fn many_blocks() {
    check(Plan { blocks: 24, ..PLAN });
    check(Plan { blocks: 1, ..PLAN });
}

#[test]
fn many_rules_with_normalised_credit() {
    let entry = [*figures::catalogue::find("normalisation").expect("a figure")];
    for plan in [
        Plan { rules: 10, ..PLAN },
        Plan { rules: 7, long: true, ..PLAN },
        Plan { rules: 5, broken: true, ..PLAN },
        Plan { rules: 1, seeds: 1, ..PLAN },
    ] {
        examine::check_records(&entry, &published::published(), plan, made::normalised(plan));
    }
}

#[test]
fn the_examination_finds_planted_faults() {
    let mut scene = Scene::new(100.0, 50.0);
    let text = |s: &str| Role::Text(s.to_owned());
    scene.mark(text("a"), Rect::new(10.0, 10.0, 20.0, 8.0));
    assert!(examine(&scene, true).is_empty());
    scene.mark(text("b"), Rect::new(25.0, 12.0, 20.0, 8.0));
    scene.mark(text("c"), Rect::new(90.0, 12.0, 20.0, 8.0));
    scene.mark(Role::Panel(0), Rect::new(0.0, 20.0, 100.0, 30.0));
    scene.mark(Role::Legend, Rect::new(40.0, 25.0, 10.0, 10.0));
    for x in [30.0, 45.0, 60.0] {
        scene.mark(Role::Value { series: "s".to_owned() }, Rect::new(x, 30.0, 0.0, 0.0));
    }
    let found = examine(&scene, true).join("; ");
    for fault in ["\"a\" overlaps \"b\"", "\"c\" leaves the page", "a legend covers Value", "covers the line"]
    {
        assert!(found.contains(fault), "{fault} is not among: {found}");
    }
}
