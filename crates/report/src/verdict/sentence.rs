//! A plain sentence for what a rule's values show. It never looks at the rule's name, only at what was measured.

use super::reading::{Count, Reading};
use crate::show;
use protocol::{gain, statistics};
use record::Unit;
use record::audit::CheckId;

/// A mean cosine from which on credit counts as following the gradient. An advisory line for words, not a verdict:
/// random credit stays within ±.1 of 0 at these widths.
const FOLLOWS: f64 = 0.3;

/// What the names of the checks stand for, to be printed once beneath the sentences.
pub(crate) const CHECKS: &str = "D1: the hidden state keeps its scale from block to block. D2: the gradient is large \
    enough to be compared with. D3: trained blocks are worth more than frozen ones. Credit follows the gradient where \
    their mean cosine is at least .3.";

/// Verdict and reasons, one paragraph.
pub(crate) fn sentence(reading: &Reading) -> String {
    let reasons = [credit(reading), scale(reading), reference(reading), depth(reading)];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    let (last, before) =
        reasons.split_last().map_or((String::new(), Vec::new()), |(l, b)| (l.clone(), b.to_vec()));
    format!("{} {}: {}, and {last}.", reading.rule, verdict(reading), before.join(", "))
}

/// `passes` or `fails D1, D3`, with how many seeds agree where they do not all.
fn verdict(reading: &Reading) -> String {
    let checks = [CheckId::D1, CheckId::D2, CheckId::D3].map(|id| (id.name(), reading.count(id)));
    let listed = |some: fn(&Count) -> usize| -> String {
        let named = checks.iter().filter(|(_, count)| some(count) > 0);
        named
            .map(|(name, count)| format!("{name}{}", part(count, some(count))))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (fired, open) = (listed(|c| c.fires), listed(|c| c.seeds - c.fires - c.passes));
    let word = if fired.is_empty() { "passes".to_owned() } else { format!("fails {fired}") };
    if open.is_empty() { word } else { format!("{word}, with {open} not assessed") }
}

/// ` (2 of 3 seeds)`, or nothing where all agree.
fn part(count: &Count, some: usize) -> String {
    if some == count.seeds { String::new() } else { format!(" ({some} of {} seeds)", count.seeds) }
}

fn unit(index: usize) -> String {
    match Unit::at(index) {
        Unit::Embed => "the embedding".to_owned(),
        block => block.to_string(),
    }
}

/// Where credit follows the gradient, among the units whose cosine can be believed.
fn credit(reading: &Reading) -> Option<String> {
    let cosines = reading.cosines();
    let believed: Vec<usize> = (0..cosines.len()).filter(|&u| reading.believable(u)).collect();
    if believed.is_empty() {
        return Some("none of its cosines can be believed".to_owned());
    }
    let follows = |&&u: &&usize| cosines[u].is_some_and(|c| c >= FOLLOWS);
    let places: Vec<String> = believed.iter().filter(follows).map(|&u| unit(u)).collect();
    let place = match places.as_slice() {
        [] => "at no layer".to_owned(),
        all if all.len() == cosines.len() => "at every layer".to_owned(),
        [one] => format!("at {one} only"),
        [first @ .., last] => format!("only at {} and {last}", first.join(", ")),
    };
    let credit = format!("its credit follows the gradient {place}");
    let (believed, all) = (believed.len(), cosines.len());
    Some(if believed == all {
        credit
    } else {
        format!("only {believed} of its {all} cosines can be believed, by which {credit}")
    })
}

fn scale(reading: &Reading) -> Option<String> {
    let limit = show::scientific(reading.thresholds.growth);
    let largest = show::scientific(reading.range(|seed| seed.growth).1);
    Some(if reading.count(CheckId::D1).fires > 0 {
        format!("one block multiplies the hidden state by up to {largest} (limit {limit})")
    } else {
        format!("the hidden state keeps its scale (growth at most {largest}, limit {limit})")
    })
}

fn reference(reading: &Reading) -> Option<String> {
    let count = reading.count(CheckId::D2);
    let smallest = show::scientific(reading.range(|seed| seed.gradient).0);
    let floor = show::scientific(reading.thresholds.floor);
    if count.fires > 0 {
        Some(format!(
            "the gradient at the top has sunk to {smallest} (floor {floor}) and no longer means anything"
        ))
    } else if count.passes == 0 {
        Some("the task is solved, which leaves no gradient to judge by".to_owned())
    } else {
        None
    }
}

fn depth(reading: &Reading) -> Option<String> {
    let gains: Option<Vec<f64>> =
        reading.seeds.iter().map(|s| gain(Some(s.accuracy), s.frozen).map(|gain| 100.0 * gain)).collect();
    let Some(gains) = gains else {
        return Some(
            "without a frozen baseline for each seed nobody knows what its depth is worth".to_owned(),
        );
    };
    let mean = statistics(gains.iter().copied())?.mean;
    let (low, high) =
        gains.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &g| (l.min(g), h.max(g)));
    let count = reading.count(CheckId::D3);
    Some(if count.passes == count.seeds {
        format!("training the blocks gains {mean:.1} points over leaving them frozen")
    } else if count.fires == 0 {
        format!("the frozen baseline is so good that depth has nothing to add ({mean:+.1} points)")
    } else if count.fires < count.seeds {
        format!(
            "training the blocks changes accuracy by {low:+.1} to {high:+.1} points over leaving them frozen"
        )
    } else if mean < 0.0 {
        format!("training the blocks costs {:.1} points against leaving them frozen", -mean)
    } else {
        format!("training the blocks gains only {mean:.1} points over leaving them frozen")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::reading::Seed;
    use protocol::Thresholds;
    use record::{Measured, Why};

    fn healthy(rule: &str) -> Reading {
        let seed = Seed {
            accuracy: 0.75,
            frozen: Some(0.63),
            growth: 1.6,
            gradient: 1.8e-3,
            error: 0.2,
            cosine: vec![Measured::Defined { value: 1.0 }; 5],
        };
        Reading { rule: rule.to_owned(), seeds: vec![seed; 3], thresholds: Thresholds::default() }
    }

    fn degenerate(rule: &str) -> Reading {
        let deep = Measured::Unreliable { value: 0.01, why: Why::ReferenceBelowFloor };
        let seed = Seed {
            accuracy: 0.51,
            frozen: Some(0.61),
            growth: 4e4,
            gradient: 3e-8,
            error: 0.8,
            cosine: vec![Measured::Defined { value: 0.4 }, deep, deep, deep, deep],
        };
        Reading { rule: rule.to_owned(), seeds: vec![seed; 3], thresholds: Thresholds::default() }
    }

    #[test]
    fn words_follow_the_values_and_not_the_names() {
        let words = |r: Reading| sentence(&r).split_once(' ').map(|(_, rest)| rest.to_owned());
        assert_eq!(words(healthy("bp")), words(healthy("dfa")));
        assert_eq!(words(degenerate("bp")), words(degenerate("dfa")));
        assert_ne!(words(healthy("bp")), words(degenerate("bp")));
    }

    #[test]
    fn a_healthy_rule_passes_and_says_what_depth_is_worth() {
        assert_eq!(
            sentence(&healthy("bp")),
            "bp passes: its credit follows the gradient at every layer, the hidden state keeps its scale (growth at most 1.60, \
             limit 50), and training the blocks gains 12.0 points over leaving them frozen."
        );
    }

    #[test]
    fn a_degenerate_rule_fails_for_each_reason() {
        let text = sentence(&degenerate("dfa"));
        for words in [
            "fails D1, D2, D3",
            "only 1 of its 5 cosines can be believed",
            "at the embedding only",
            "by up to 4e4",
            "sunk to 3e-8",
            "costs 10.0 points",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn seeds_that_disagree_are_counted_and_what_is_unknown_is_said() {
        let mut mixed = healthy("fa");
        mixed.seeds[1].growth = 60.0;
        let text = sentence(&mixed);
        assert!(
            text.contains("fails D1 (1 of 3 seeds)") && text.contains("by up to 60 (limit 50)"),
            "{text}"
        );
        mixed.seeds[2].accuracy = 0.63;
        let text = sentence(&mixed);
        assert!(text.contains("D3 (1 of 3 seeds)") && text.contains("+0.0 to +12.0 points"), "{text}");
        let mut alone = healthy("fa");
        alone.seeds[0].frozen = None;
        let text = sentence(&alone);
        assert!(
            text.contains("with D3 (1 of 3 seeds) not assessed") && text.contains("without a frozen"),
            "{text}"
        );
        let mut solved = healthy("bp");
        solved.seeds.iter_mut().for_each(|seed| seed.error = 0.01);
        assert!(sentence(&solved).contains("passes, with D2 not assessed:"), "{}", sentence(&solved));
    }
}
