//! A plain sentence for what a rule's values show. It never looks at the rule's name, only at what was measured.

use super::reading::{Count, Reading};
use crate::show;

/// A mean cosine from which on credit counts as following the gradient. An advisory line for words, not a verdict:
/// random credit stays within ±.1 of 0 at these widths.
const FOLLOWS: f64 = 0.3;

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
    let checks = [("D1", reading.d1()), ("D2", reading.d2()), ("D3", reading.d3())];
    let fired: Vec<String> = checks
        .iter()
        .filter(|(_, count)| count.fires > 0)
        .map(|(name, count)| format!("{name}{}", part(count, count.fires)))
        .collect();
    let open: Vec<&str> =
        checks.iter().filter(|(_, c)| c.fires + c.passes == 0).map(|(name, _)| *name).collect();
    let open = if open.is_empty() { String::new() } else { format!(" ({} not assessed)", open.join(", ")) };
    if fired.is_empty() { format!("passes{open}") } else { format!("fails {}{open}", fired.join(", ")) }
}

/// ` (2 of 3 seeds)`, or nothing where all agree.
fn part(count: &Count, some: usize) -> String {
    if some == count.seeds { String::new() } else { format!(" ({some} of {} seeds)", count.seeds) }
}

fn unit(index: usize) -> String {
    if index == 0 { "the embedding".to_owned() } else { format!("block {}", index - 1) }
}

fn credit(reading: &Reading) -> Option<String> {
    let cosines = reading.cosines();
    let follows = |c: &Option<f64>| c.is_some_and(|c| c >= FOLLOWS);
    let places: Vec<String> = (0..cosines.len()).filter(|&u| follows(&cosines[u])).map(unit).collect();
    Some(match places.as_slice() {
        [] => "its credit follows the gradient at no layer".to_owned(),
        all if all.len() == cosines.len() => "its credit follows the gradient at every layer".to_owned(),
        [one] => format!("its credit follows the gradient at {one} only"),
        [first @ .., last] => {
            format!("its credit follows the gradient only at {} and {last}", first.join(", "))
        }
    })
}

fn scale(reading: &Reading) -> Option<String> {
    let (count, limit) = (reading.d1(), show::scientific(reading.thresholds.growth));
    let growth = show::scientific(reading.mean(|seed| seed.growth));
    Some(if count.fires > 0 {
        format!("one block multiplies the hidden state by {growth} (limit {limit})")
    } else {
        format!("the hidden state keeps its scale (growth {growth}, limit {limit})")
    })
}

fn reference(reading: &Reading) -> Option<String> {
    let count = reading.d2();
    let gradient = show::scientific(reading.mean(|seed| seed.gradient));
    let floor = show::scientific(reading.thresholds.floor);
    if count.fires > 0 {
        Some(format!(
            "the gradient it is compared with has sunk to {gradient} (floor {floor}), so that cosines mean nothing"
        ))
    } else if count.passes == 0 {
        Some("the task is solved, which leaves no gradient to judge by".to_owned())
    } else {
        None
    }
}

fn depth(reading: &Reading) -> Option<String> {
    let gains: Option<Vec<f64>> =
        reading.seeds.iter().map(|s| s.frozen.map(|f| 100.0 * (s.accuracy - f))).collect();
    let Some(gains) = gains else {
        return Some("without a frozen baseline nobody knows what its depth is worth".to_owned());
    };
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    let count = reading.d3();
    Some(if count.passes == count.seeds {
        format!("training the blocks gains {mean:.1} points over leaving them frozen")
    } else if count.fires == 0 {
        format!("the frozen baseline is so good that depth has nothing to add ({mean:+.1} points)")
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
    use audit::Thresholds;
    use record::{Cosine, Why};

    fn healthy(rule: &str) -> Reading {
        let seed = Seed {
            accuracy: 0.75,
            frozen: Some(0.63),
            growth: 1.6,
            gradient: 1.8e-3,
            error: 0.2,
            cosine: vec![Cosine::Defined { value: 1.0 }; 5],
        };
        Reading { rule: rule.to_owned(), seeds: vec![seed; 3], thresholds: Thresholds::default() }
    }

    fn degenerate(rule: &str) -> Reading {
        let deep = Cosine::Unreliable { value: 0.01, why: Why::ReferenceBelowFloor };
        let seed = Seed {
            accuracy: 0.51,
            frozen: Some(0.61),
            growth: 4e4,
            gradient: 3e-8,
            error: 0.8,
            cosine: vec![Cosine::Defined { value: 0.4 }, deep, deep, deep, deep],
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
            "bp passes: its credit follows the gradient at every layer, the hidden state keeps its scale (growth 1.60, \
             limit 50), and training the blocks gains 12.0 points over leaving them frozen."
        );
    }

    #[test]
    fn a_degenerate_rule_fails_for_each_reason() {
        let text = sentence(&degenerate("dfa"));
        for words in
            ["fails D1, D2, D3", "at the embedding only", "by 4e4", "sunk to 3e-8", "costs 10.0 points"]
        {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn seeds_that_disagree_are_counted_and_what_is_unknown_is_said() {
        let mut mixed = healthy("fa");
        mixed.seeds[1].growth = 60.0;
        assert!(sentence(&mixed).contains("fails D1 (1 of 3 seeds)"));
        let mut alone = healthy("fa");
        alone.seeds[0].frozen = None;
        assert!(sentence(&alone).contains("without a frozen baseline"));
        let mut solved = healthy("bp");
        solved.seeds.iter_mut().for_each(|seed| seed.error = 0.01);
        assert!(sentence(&solved).contains("passes (D2 not assessed)"), "{}", sentence(&solved));
    }
}
