//! Where credit is compared with the gradient, and how many seeds there are: figures do what they say.

use crate::made::{Made, good};
use figures::catalogue::{Convention, Published, PublishedRule, Request, find};
use figures::reader::{Records, Trial};
use record::Measured;

/// Backpropagation: 1 where its credit acts, less at the input of a block.
fn bp(seed: u64) -> Trial {
    let mut trial = Made { cosine: [Some(1.0); 3], ..good() }.trial("bp");
    let lower = |value| Some(Measured::Defined { value });
    trial.final_layers.cosine_at_input = vec![lower(0.9), lower(0.7)];
    trial.seed = Some(seed);
    trial
}

fn request(trials: Vec<Trial>) -> Request {
    Request { records: Records { trials, ..Records::default() }, ..Request::default() }
}

/// Series and values of backpropagation's cosines, and the foot.
fn cosines(figure: &str, request: &Request) -> (Vec<(String, f64)>, String) {
    let drawing = (find(figure).unwrap().draw)(request).unwrap();
    let table = drawing.figure.table(&[]);
    let mut lines = table.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let ours = rows.filter(|row| row[column("panel")] == "cosine" && row[column("rule")] == "bp");
    let found = ours
        .filter(|row| row[column("source")].is_empty())
        .map(|row| (row[column("series")].to_owned(), row[column("y")].parse().unwrap()));
    (found.collect(), drawing.figure.foot.unwrap_or_default())
}

fn published() -> Published {
    let rule = PublishedRule {
        rule: "bp".to_owned(),
        accuracy: 0.6,
        gamma: 0.8,
        cosine: vec![0.9, 0.7],
        gradient: vec![1e-4; 3],
    };
    Published { citation: "someone".to_owned(), rules: vec![rule], classes: 10, ..Published::default() }
}

#[test]
fn backpropagation_is_one_unless_the_input_is_asked_for() {
    for figure in ["audit-hero", "cifar-diagnostics"] {
        let plain = request(vec![bp(42), good().trial("fa")]);
        let (found, _) = cosines(figure, &plain);
        assert_eq!(found, vec![("cosine".to_owned(), 1.0); 3], "{figure}");
        let input = Request { convention: Some(Convention::Input), ..plain.clone() };
        let (found, _) = cosines(figure, &input);
        let wanted = [0.9, 0.7].map(|y| ("cosine_at_input".to_owned(), y));
        assert_eq!(found, wanted, "{figure}");
    }
    // The foot of the hero says which.
    let (_, foot) = cosines("audit-hero", &request(vec![bp(42)]));
    assert!(foot.contains("where it acts") && !foot.contains("as published"), "{foot}");
}

#[test]
fn beside_published_values_the_comparison_is_theirs() {
    let beside = Request { published: Some(published()), ..request(vec![bp(42)]) };
    let (found, foot) = cosines("audit-hero", &beside);
    assert!(found.iter().all(|(series, _)| series == "cosine_at_input") && !found.is_empty(), "{found:?}");
    assert!(foot.contains("at its input"), "{foot}");
    // Asked for, ours stay where credit acts, and the published ones have no place beside them.
    let apart = Request { convention: Some(Convention::Credit), ..beside };
    let (found, _) = cosines("audit-hero", &apart);
    assert_eq!(found, vec![("cosine".to_owned(), 1.0); 3]);
    let drawing = (find("audit-hero").unwrap().draw)(&apart).unwrap();
    assert!(!drawing.figure.table(&[]).contains("cosine_at_input"));
    assert!(drawing.notes.iter().any(|note| note.contains("left out")), "{:?}", drawing.notes);
}

#[test]
fn records_of_one_comparison_are_drawn_by_it() {
    let mut only = bp(42);
    only.final_layers.cosine.clear();
    let (found, _) = cosines("audit-hero", &request(vec![only]));
    assert!(found.iter().all(|(series, _)| series == "cosine_at_input") && !found.is_empty(), "{found:?}");
}

#[test]
fn seeds_are_counted_rule_by_rule() {
    let fa = |seed| Trial { seed: Some(seed), ..good().trial("fa") };
    let ep = |seed| Trial { seed: Some(seed), ..good().trial("ep") };
    let foot = |trials| cosines("audit-hero", &request(trials)).1;
    assert!(foot(vec![bp(1), bp(2), bp(3), fa(1), fa(2), fa(3), ep(1)]).contains("3 seeds (EP: 1)"));
    assert!(foot(vec![bp(1), bp(2), fa(1), fa(2)]).contains("; 2 seeds;"));
    assert!(foot(vec![bp(7), fa(7)]).contains("seed 7"));
    let two = foot(vec![bp(1), bp(2), bp(3), fa(1), ep(1), ep(2)]);
    assert!(two.contains("3 seeds (EP: 2; FA: 1)"), "{two}");
}

#[test]
fn every_seed_is_drawn_and_explained() {
    let one = |seed: u64, cosine: f64| {
        let made = Made { cosine: [Some(cosine); 3], accuracy: 0.4 + cosine / 10.0, ..good() };
        Trial { seed: Some(seed), ..made.trial("fa") }
    };
    let drawing = (find("audit-hero").unwrap().draw)(&request(vec![one(1, 0.2), one(2, 0.6)])).unwrap();
    let table = drawing.figure.table(&[]);
    for (kind, panel) in [("point", "pair"), ("line", "cosine"), ("line", "gradient")] {
        for seed in [1, 2] {
            let start = format!("{panel},\"FA, seed {seed}\",{kind},");
            assert!(table.lines().any(|line| line.starts_with(&start)), "{start} in\n{table}");
        }
    }
    // The mean of 0.2 and 0.6.
    assert!(
        table.contains("cosine,FA,line,0,0.4,") || table.contains("cosine,FA,line,embed,0.4,"),
        "{table}"
    );
    let foot = drawing.figure.foot.unwrap();
    assert!(foot.contains("thin: each seed"), "{foot}");
}
