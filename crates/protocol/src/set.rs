//! Audits side by side: every seed is shown, with mean and standard deviation (n−1), and differences between
//! groups are taken seed by seed. With three values nothing more can honestly be said.

use crate::{gain, grouped, last_gradient, statistics, warnings};
use record::audit::{Audit, AuditSet, Group, Pair, Series, Verdict};

/// A quantity that is compared over seeds: its name, and how to read it from an audit.
type Reader = (&'static str, fn(&Audit) -> Option<f64>);

const QUANTITIES: [Reader; 5] = [
    ("accuracy", |audit| audit.accuracy),
    ("gain", |audit| gain(audit.accuracy, audit.frozen)),
    ("growth", |audit| audit.checks.first().and_then(|check| check.statistic)),
    ("gradient", |audit| last_gradient(audit.states.iter().map(|state| state.gradient))),
    // A mean over some of the units is not comparable with one over others.
    ("gamma", |audit| audit.gamma.here.defined.filter(|_| audit.gamma.here.units == audit.gamma.here.of)),
];

/// Quantities whose differences between groups are shown.
const PAIRED: [&str; 2] = ["accuracy", "gamma"];

/// Audits side by side.
pub fn set(audits: Vec<Audit>) -> AuditSet {
    let groups = groups(&audits);
    let pairs = pairs(&audits, &groups);
    let warnings = warnings::of_set(&audits, &groups);
    AuditSet { schema: AuditSet::SCHEMA.to_owned(), audits, groups, pairs, warnings }
}

/// Audits that share a name, in the order in which the names first occur, seeds in order.
fn groups(audits: &[Audit]) -> Vec<Group> {
    let by_name = grouped(0..audits.len(), |&i| audits[i].subject.group());
    by_name.into_iter().map(|(name, members)| group(audits, name, members)).collect()
}

fn group(audits: &[Audit], name: &str, mut members: Vec<usize>) -> Group {
    members.sort_by_key(|&i| audits[i].subject.seed());
    let of = |(name, read): Reader| {
        let values: Vec<Option<f64>> = members.iter().map(|&i| read(&audits[i])).collect();
        let known: Option<Vec<f64>> = values.iter().copied().collect();
        let over_seeds = known.and_then(statistics);
        Series {
            name: name.to_owned(),
            values,
            mean: over_seeds.map(|found| found.mean),
            sd: over_seeds.and_then(|found| found.sd),
        }
    };
    let verdicts: Vec<Verdict> = members.iter().map(|&i| audits[i].verdict.clone()).collect();
    let count = |verdict: &Verdict| verdicts.iter().filter(|other| *other == verdict).count();
    // On a tie the graver verdict counts, which is the larger: a failure comes after a pass.
    let verdict = verdicts.iter().max_by_key(|v| (count(v), matches!(v, Verdict::Fail { .. })));
    let verdict = verdict.cloned().unwrap_or(Verdict::NotAssessed);
    Group {
        name: name.to_owned(),
        seeds: members.iter().map(|&i| audits[i].subject.seed()).collect(),
        series: QUANTITIES.into_iter().map(of).collect(),
        agree: count(&verdict) as u64,
        verdicts,
        verdict,
        members,
    }
}

/// Differences between every two groups that are not frozen baselines, over the seeds that both have.
fn pairs(audits: &[Audit], groups: &[Group]) -> Vec<Pair> {
    let trained: Vec<&Group> =
        groups.iter().filter(|group| group.members.iter().any(|&i| !audits[i].subject.is_frozen())).collect();
    let mut pairs = Vec::new();
    for (i, a) in trained.iter().enumerate() {
        for b in &trained[i + 1..] {
            pairs.extend(PAIRED.iter().filter_map(|of| pair(a, b, of)));
        }
    }
    pairs
}

fn pair(a: &Group, b: &Group, of: &str) -> Option<Pair> {
    let by_seed = |group: &Group| -> Vec<(u64, f64)> {
        let series = group.series.iter().find(|series| series.name == of);
        let values = series.into_iter().flat_map(|series| series.values.clone());
        group.seeds.iter().zip(values).filter_map(|(seed, value)| Some(((*seed)?, value?))).collect()
    };
    let left = by_seed(a);
    let right = by_seed(b);
    let other = |seed: u64| right.iter().find(|(s, _)| *s == seed).map(|(_, value)| *value);
    let common: Vec<(u64, f64)> =
        left.iter().filter_map(|&(seed, value)| Some((seed, value - other(seed)?))).collect();
    let (seeds, differences): (Vec<u64>, Vec<f64>) = common.into_iter().unzip();
    let over_seeds = statistics(differences.iter().copied())?;
    Some(Pair {
        a: a.name.clone(),
        b: b.name.clone(),
        of: of.to_owned(),
        seeds,
        differences,
        mean: over_seeds.mean,
        sd: over_seeds.sd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::audit::{CheckId, Warning};
    use serde_json::json;

    /// An audit that holds nothing but an accuracy and a verdict.
    fn audit(rule: &str, seed: u64, accuracy: f64, verdict: Verdict) -> Audit {
        let gamma = json!({"defined": null, "units": 0, "of": 0, "all": null});
        let value = json!({
            "schema": Audit::SCHEMA, "version": "0",
            "subject": {"kind": "run", "id": format!("{rule}-s{seed}"), "group": rule, "rule": rule, "seed": seed,
                "frozen": false, "recipe_hash": "", "data_hash": "", "checkpoint": null},
            "settings": crate::settings(&crate::THRESHOLDS, 1280),
            "epoch": 1, "samples": 1280, "accuracy": accuracy, "frozen": null, "error": 0.5, "states": [], "units": [],
            "gamma": {"here": gamma, "at_input": gamma}, "checks": [], "verdict": verdict,
            "consistency": {"state": "not_assessed", "why": ""}, "warnings": [], "seconds": 0.0,
        });
        serde_json::from_value(value).expect("an audit")
    }

    #[test]
    fn seeds_are_in_order_with_mean_and_deviation_and_differences_are_paired() {
        let fails = || Verdict::Fail { fired: vec![CheckId::D1] };
        let audits = vec![
            audit("bp", 3, 0.7, Verdict::NotAssessed),
            audit("bp", 1, 0.5, fails()),
            audit("dfa", 1, 0.4, fails()),
            audit("bp", 2, 0.6, fails()),
            audit("dfa", 3, 0.3, Verdict::NotAssessed),
        ];
        let found = set(audits);
        let [bp, dfa] = &found.groups[..] else { panic!("{:?}", found.groups) };
        assert_eq!((bp.members.as_slice(), &bp.seeds), (&[1, 3, 0][..], &vec![Some(1), Some(2), Some(3)]));
        let accuracy = &bp.series[0];
        assert_eq!(accuracy.values, [Some(0.5), Some(0.6), Some(0.7)]);
        // Mean .6; squares .01 + 0 + .01, over n − 1 = 2.
        assert!((accuracy.mean.expect("known") - 0.6).abs() < 1e-12);
        assert!((accuracy.sd.expect("three") - 0.1).abs() < 1e-12);
        assert_eq!((bp.series[1].mean, bp.series[1].sd), (None, None), "no baseline, no gain");
        assert_eq!((&bp.verdict, bp.agree), (&fails(), 2));
        assert_eq!((&dfa.verdict, dfa.agree), (&fails(), 1), "on a tie the graver one");
        let [pair] = &found.pairs[..] else { panic!("{:?}", found.pairs) };
        assert_eq!((pair.a.as_str(), pair.b.as_str(), pair.of.as_str()), ("bp", "dfa", "accuracy"));
        assert_eq!(pair.seeds, [1, 3], "the seeds that both have");
        assert!((pair.mean - 0.25).abs() < 1e-12 && (pair.sd.expect("two") - 0.045f64.sqrt()).abs() < 1e-12);
        let differ = Warning::SeedsDiffer { a: "bp".to_owned(), b: "dfa".to_owned() };
        assert_eq!(found.warnings, [differ]);
    }
}
