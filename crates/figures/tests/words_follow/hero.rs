//! Captions of the hero.

use crate::drawn::{captions, draw};
use crate::made::{Made, bad, good};

fn exchanged(text: &str) -> String {
    text.replace("Alpha", "\u{1}").replace("Beta", "Alpha").replace('\u{1}', "Beta")
}

#[test]
fn the_hero_names_the_rule_whose_records_show_it() {
    let words = |fa: &Made, dfa: &Made| captions(&draw("audit-hero", fa, dfa)).split_off(1);
    let [cosines, gradients] = &words(&good(), &bad())[..] else { panic!() };
    for caption in [cosines, gradients] {
        assert!(caption.contains("Beta") && !caption.contains("Alpha"), "{caption}");
    }
    let swapped = words(&bad(), &good());
    assert_eq!(swapped, [exchanged(cosines), exchanged(gradients)]);
    // Nothing is said of a rule that shows nothing.
    let quiet = words(&good(), &good());
    assert!(quiet.iter().all(|caption| !caption.contains("Alpha") && !caption.contains("Beta")), "{quiet:?}");
}

#[test]
fn the_hero_calls_learning_what_looks_like_it() {
    let words = |fa: &Made| captions(&draw("audit-hero", fa, &bad()))[0].clone();
    assert!(words(&good()).contains("Alpha and Beta look like learning"));
    let below_chance = Made { accuracy: 0.09, ..good() };
    let caption = words(&below_chance);
    assert!(caption.contains("Beta looks like learning") && !caption.contains("Alpha"), "{caption}");
}
