//! The figure of all published values: what it counts, and that nothing in it collides.

use crate::examine;
use figures::plot::Style;
use figures::text::Typesetter;
use paper::compare::{Comparison, compare, find, overview};
use paper::study::{STUDIES, Study};
use std::path::PathBuf;

/// Every study, compared with the records in these folders.
fn compared(folders: &[PathBuf]) -> Vec<(&'static Study, Comparison)> {
    let data = data::Folder::at("nowhere");
    let of = |study: &'static Study| {
        let specs = study.recipe(false).and_then(|recipe| recipe.runs()).expect("valid");
        (study, compare(study.name, &find(&specs, folders, &data).expect("records"), false))
    };
    STUDIES.iter().map(of).collect()
}

fn kept() -> Vec<PathBuf> {
    vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"))]
}

#[test]
fn nothing_collides() {
    for folders in [kept(), Vec::new()] {
        let overview = overview(&compared(&folders));
        for (style, widths) in [(Style::paper(), [5.5, 7.0]), (Style::slides(), [10.0, 13.3])] {
            let setter = Typesetter::new(&style.family).expect("a bundled family");
            for width in widths {
                let style = Style { width: 72.0 * width, ..style.clone() };
                let scene = overview.drawing.figure.draw(&style, &setter).expect("it can be drawn");
                let faults = examine::examine(&scene, true);
                assert!(faults.is_empty(), "{width} in: {faults:?}");
            }
        }
    }
}

/// Each compared value has a mark within the limits if it holds and beyond them if not; the others are listed without a number.
#[test]
fn every_published_value_is_in_the_table_once() {
    let compared = compared(&kept());
    let overview = overview(&compared);
    let table = overview.drawing.figure.table(&[]);
    let points: Vec<&str> = table.lines().filter(|line| line.contains(",point,")).collect();
    let place = |line: &&str| -> Option<f64> {
        let after = line.split(",point,").nth(1).expect("a point");
        after.split(',').next().expect("a cell").parse().ok()
    };
    let places: Vec<f64> = points.iter().filter_map(place).collect();
    let all: usize = compared.iter().map(|(_, found)| found.compared()).sum();
    let held: usize = compared.iter().map(|(_, found)| found.held()).sum();
    assert_eq!(places.len(), all);
    assert_eq!(places.iter().filter(|x| x.abs() <= 2.0).count(), held);
    let ours = |again: bool| {
        let of = || compared.iter().filter(|(study, _)| (study.name == "unclipped") == again);
        let held: usize = of().map(|(_, found)| found.held()).sum();
        let all: usize = of().map(|(_, found)| found.compared()).sum();
        format!("{held} of {all}")
    };
    let sentence = &overview.sentence;
    assert!(sentence.starts_with(&format!("{} published values hold", ours(false))), "{sentence}");
    assert!(sentence.ends_with(&format!("Without gradient clipping, {}", ours(true))), "{sentence}");
}

#[test]
fn without_records_nothing_holds() {
    let overview = overview(&compared(&[]));
    assert!(overview.sentence.starts_with("0 of 0 published values hold; "), "{}", overview.sentence);
    assert!(!overview.sentence.contains("clipping"), "{}", overview.sentence);
}
