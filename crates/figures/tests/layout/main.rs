//! Nothing collides, whatever the records: no text overlaps another or leaves the page, and no legend or text inside a
//! panel covers a value.

mod examine;
mod made;
mod published;

use examine::{PLAN, beyond_the_page, examine};
use figures::FIGURES;
use figures::plot::{INK, Style};
use figures::scene::{Point, Rect, Role, Scene, at};
use figures::text::{TextStyle, Typesetter};
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

#[test]
fn the_examination_finds_faults_of_lines_legends_and_pages() {
    let text = |s: &str| Role::Text(s.to_owned());
    let value = |s: &str| Role::Value { series: s.to_owned() };
    let mut scene = Scene::new(200.0, 100.0);
    scene.mark(Role::Panel(0), Rect::new(0.0, 0.0, 200.0, 100.0));
    for (series, x) in [("s", 30.0), ("t", 60.0)] {
        scene.mark(value(series), Rect::new(x, 30.0, 0.0, 0.0));
    }
    scene.mark(Role::Guide, Rect::new(0.0, 70.0, 200.0, 0.0));
    scene.mark(text("above"), Rect::new(10.0, 60.0, 20.0, 8.0));
    scene.mark(text("name"), Rect::new(80.0, 10.0, 20.0, 8.0));
    let leader = |from, to: Point| Role::Leader { from, to };
    scene.mark(leader(at(63.0, 27.0), at(79.0, 18.0)), Rect::new(63.0, 18.0, 16.0, 9.0));
    assert_eq!(examine(&scene, true), [""; 0]);
    scene.mark(text("0.293"), Rect::new(40.0, 66.0, 20.0, 8.0));
    scene.mark(leader(at(120.0, 60.0), at(79.0, 18.0)), Rect::new(79.0, 18.0, 41.0, 42.0));
    scene.mark(leader(at(63.0, 27.0), at(120.0, 40.0)), Rect::new(63.0, 27.0, 57.0, 13.0));
    scene.mark(Role::Legend, Rect::new(140.0, 80.0, 50.0, 12.0));
    scene.mark(text("t"), Rect::new(160.0, 82.0, 20.0, 8.0));
    let found = examine(&scene, true).join("; ");
    for fault in
        ["a line crosses \"0.293\"", "begins at no value", "ends at no name", "\"t\" is alone in a legend"]
    {
        assert!(found.contains(fault), "{fault} is not among: {found}");
    }
    let style = Style::paper();
    let setter = Typesetter::new(&style.family).expect("a bundled family");
    let small = TextStyle { size: 5.0, bold: false, italic: false, colour: INK };
    let mut page = Scene::new(200.0, 9.1 * 72.0);
    page.text(&setter.set("tiny", &small).expect("a label"), at(50.0, 50.0), (0.5, 0.5), 90.0);
    let found = beyond_the_page(&page, &style).join("; ");
    for fault in ["9.10 in tall, more than 9.00 in", "\"tiny\" is set in 5.0 pt"] {
        assert!(found.contains(fault), "{fault} is not among: {found}");
    }
}
