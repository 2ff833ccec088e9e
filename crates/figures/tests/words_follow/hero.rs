//! Captions of the hero.

use crate::drawn::{captions, draw};
use crate::made::{Made, bad, good};
use figures::catalogue::{Request, find};
use figures::reader::Records;

fn exchanged(text: &str) -> String {
    text.replace("Alpha", "\u{1}").replace("Beta", "Alpha").replace('\u{1}', "Beta")
}

#[test]
fn the_hero_names_the_rule_that_shows_it() {
    let words = |fa: &Made, dfa: &Made| captions(&draw("audit-hero", fa, dfa)).split_off(1);
    let [cosines, gradients] = &words(&good(), &bad())[..] else { panic!() };
    for caption in [cosines, gradients] {
        assert!(caption.contains("Beta") && !caption.contains("Alpha"), "{caption}");
    }
    let swapped = words(&bad(), &good());
    assert_eq!(swapped, [exchanged(cosines), exchanged(gradients)]);
    // A rule that shows nothing is not named.
    let quiet = words(&good(), &good());
    assert!(quiet.iter().all(|caption| !caption.contains("Alpha") && !caption.contains("Beta")), "{quiet:?}");
}

#[test]
fn the_hero_calls_learning_what_looks_like_it() {
    let words = |fa: &Made| captions(&draw("audit-hero", fa, &bad()))[0].clone();
    assert!(words(&good()).contains("Alpha and Beta look like learning"));
    // What rests on cosines that are drawn hollow is said apart.
    assert!(words(&good()).ends_with("That of Beta rests on cosines that cannot be judged"));
    let below_chance = Made { accuracy: 0.09, ..good() };
    let caption = words(&below_chance);
    assert!(caption.contains("Beta looks like learning") && !caption.contains("Alpha"), "{caption}");
}

#[test]
fn the_hero_asserts_no_cosine_that_it_draws_hollow() {
    let words = |fa: &Made, dfa: &Made| captions(&draw("audit-hero", fa, dfa))[1].clone();
    // The cosine of Beta's block 1 is 0.01, and unreliable.
    assert_eq!(words(&good(), &bad()), "No reliable cosine is below 0.1. Cannot be judged: Beta at $l=1$");
    let weak = Made { cosine: [Some(0.8), Some(0.05), None], ..bad() };
    assert_eq!(
        words(&good(), &weak),
        "The mean hides units with a cosine below 0.1: Beta at $l=0$. Cannot be judged: Beta at $l=1$"
    );
    // If it is reliable, it is one of those that the mean hides.
    let firm = Made { cosine: [Some(0.8), Some(0.7), Some(0.01)], ..bad() };
    assert_eq!(words(&good(), &firm), "The mean hides units with a cosine below 0.1: Beta at $l=1$");
    // Rules with the same unreliable blocks are named together.
    let lost = Made { cosine: [None; 3], ..bad() };
    assert_eq!(
        words(&lost, &lost),
        "No rule other than BP has a reliable cosine. Cannot be judged: Alpha and Beta at embed, $l=0,1$"
    );
}

/// A folder of several studies: one rule in many runs says less than many rules in one run each.
#[test]
fn the_hero_is_of_the_setting_with_the_most_rules() {
    let of = |rule: &str, d: u64, seed: u64| {
        let mut trial = good().trial(rule);
        trial.setting.d = Some(d);
        trial.seed = Some(seed);
        trial
    };
    let many = (1..10).map(|seed| of("fa", 64, seed));
    let rules = ["bp", "fa", "dfa"].map(|rule| of(rule, 256, 1));
    let records = Records { trials: many.chain(rules).collect(), ..Records::default() };
    let request = Request { records, ..Request::default() };
    let drawing = (find("audit-hero").unwrap().draw)(&request).unwrap();
    let table = drawing.figure.table(&[]);
    assert!(["BP", "FA", "DFA"].iter().all(|rule| table.contains(&format!(",{rule},"))), "{table}");
    assert!(drawing.notes.iter().any(|note| note.contains("d=64")), "{:?}", drawing.notes);
}

/// A figure about one rule is of a setting that has it, though another has more rules.
#[test]
fn the_bridges_are_found_among_larger_settings() {
    let of = |rule: &str, d: u64| {
        let mut trial = good().trial(rule);
        trial.setting.d = Some(d);
        trial
    };
    let trials = [of("bp", 64), of("fa", 64), of("dfa", 64), of("drtp", 64), of("state_bridge", 256)];
    let request =
        Request { records: Records { trials: trials.into(), ..Records::default() }, ..Request::default() };
    let drawing = (find("cifar-state-vs-credit").unwrap().draw)(&request).unwrap();
    assert!(drawing.figure.title.is_some_and(|title| title.contains("256")), "{:?}", drawing.notes);
}

/// Inert is another fact than unreliable: the marker stays solid, with a ring.
#[test]
fn what_training_cannot_reach_is_ringed_and_not_hollow() {
    let firm = Made { cosine: [Some(0.8), Some(0.7), Some(0.01)], ..bad() };
    let rings = |share: Option<f64>| {
        let drawing = draw("audit-hero", &good(), &Made { effect: share, ..firm.clone() });
        let foot = drawing.figure.foot.clone().unwrap_or_default();
        let table = drawing.figure.table(&[]);
        assert!(!foot.contains("hollow") && !table.contains(",unreliable"), "{foot}\n{table}");
        assert_eq!(foot.contains("ringed: inert"), table.contains(",inert"), "{foot}\n{table}");
        table.matches(",inert").count()
    };
    assert_eq!(rings(None), 0, "nothing is known");
    assert_eq!(rings(Some(-2e-2)), 0);
    assert_eq!(rings(Some(-2e-4)), 3, "embedding and both blocks");
}
