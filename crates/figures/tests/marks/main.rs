//! Marks of an SVG say what they show: rule, seed and quantity, with the values of the CSV.

mod check;
#[path = "../layout/made/mod.rs"]
mod made;
#[path = "../layout/published.rs"]
mod published;

use check::{drawn, requests};
use figures::FIGURES;
use published::published;

#[test]
fn every_mark_of_data_names_its_rule_and_its_quantity() {
    requests(published()).iter().for_each(|request| check::are_named(&drawn(&FIGURES, request)));
}

#[test]
fn values_are_those_of_the_table() {
    requests(published()).iter().for_each(|request| check::are_in_the_table(&drawn(&FIGURES, request)));
}

#[test]
fn every_seed_has_its_marks() {
    let drawings = drawn(&FIGURES, &requests(published())[0]);
    assert_eq!(drawings.len(), FIGURES.len(), "every figure is tried");
    for wanted in ["nulls", "verdicts", "cifar-summary", "cifar-diagnostics"] {
        let (name, drawing) = drawings.iter().find(|(name, _)| *name == wanted).unwrap();
        check::have_every_seed(name, drawing);
    }
}

#[test]
fn labels_change_no_mark() {
    check::are_the_same_under_other_labels(&FIGURES, &requests(published())[0]);
}
