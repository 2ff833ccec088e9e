//! Several seeds side by side: every seed is shown, mean and standard deviation (n−1) beside them, and differences between
//! groups are taken seed by seed. With three values nothing more can honestly be said.

use crate::Thresholds;
use record::audit::{Audit, AuditSet, Group, Pair, Series, Verdict, Warning};

/// Mean and standard deviation (n−1) of the values; the deviation is absent for fewer than two.
///
/// ```
/// assert_eq!(audit::mean_sd(&[1.0, 2.0, 3.0]), (2.0, Some(1.0)));
/// assert_eq!(audit::mean_sd(&[4.0]), (4.0, None));
/// ```
pub fn mean_sd(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()))
}

/// A quantity that is compared over seeds: its name, and how an audit tells it.
type Reader = (&'static str, fn(&Audit) -> Option<f64>);

const QUANTITIES: [Reader; 5] = [
    ("accuracy", |audit| audit.accuracy),
    ("gain", |audit| audit.accuracy.zip(audit.frozen).map(|(accuracy, frozen)| accuracy - frozen)),
    ("growth", |audit| audit.checks.first().and_then(|check| check.statistic)),
    ("gradient", |audit| {
        let gradient = audit.states.last()?.gradient?;
        Some(gradient / Thresholds::FLOOR_SAMPLES as f64)
    }),
    // A mean over some of the units is not comparable with one over others.
    ("gamma", |audit| audit.gamma.here.defined.filter(|_| audit.gamma.here.units == audit.gamma.here.of)),
];

/// Quantities whose differences between groups are shown.
const PAIRED: [&str; 2] = ["accuracy", "gamma"];

/// Audits side by side.
pub fn set(audits: Vec<Audit>) -> AuditSet {
    let groups = groups(&audits);
    let (pairs, warnings) = (pairs(&audits, &groups), set_warnings(&audits, &groups));
    AuditSet { schema: AuditSet::SCHEMA.to_owned(), audits, groups, pairs, warnings }
}

/// Audits that share a name, in the order in which the names first occur, seeds in order.
fn groups(audits: &[Audit]) -> Vec<Group> {
    let mut names: Vec<&str> = Vec::new();
    for audit in audits {
        if !names.contains(&audit.subject.group()) {
            names.push(audit.subject.group());
        }
    }
    names.into_iter().map(|name| group(audits, name)).collect()
}

fn group(audits: &[Audit], name: &str) -> Group {
    let mut members: Vec<usize> = (0..audits.len()).filter(|&i| audits[i].subject.group() == name).collect();
    members.sort_by_key(|&i| audits[i].subject.seed());
    let of = |(name, read): Reader| {
        let values: Vec<Option<f64>> = members.iter().map(|&i| read(&audits[i])).collect();
        let known: Option<Vec<f64>> = values.iter().copied().collect();
        let (mean, sd) =
            known.map(|known| mean_sd(&known)).map_or((None, None), |(mean, sd)| (Some(mean), sd));
        Series { name: name.to_owned(), values, mean, sd }
    };
    let verdicts: Vec<Verdict> = members.iter().map(|&i| audits[i].verdict.clone()).collect();
    let count = |verdict: &Verdict| verdicts.iter().filter(|other| *other == verdict).count();
    // On a tie the graver verdict stands, which is the larger: a failure comes after a pass.
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
    let (left, right) = (by_seed(a), by_seed(b));
    let other = |seed: u64| right.iter().find(|(s, _)| *s == seed).map(|(_, value)| *value);
    let common: Vec<(u64, f64)> =
        left.iter().filter_map(|&(seed, value)| Some((seed, value - other(seed)?))).collect();
    if common.is_empty() {
        return None;
    }
    let (seeds, differences): (Vec<u64>, Vec<f64>) = common.into_iter().unzip();
    let (mean, sd) = mean_sd(&differences);
    Some(Pair { a: a.name.clone(), b: b.name.clone(), of: of.to_owned(), seeds, differences, mean, sd })
}

/// What a reader of the whole set should know.
fn set_warnings(audits: &[Audit], groups: &[Group]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut samples: Vec<u64> = audits.iter().map(|audit| audit.samples).collect();
    samples.sort_unstable();
    samples.dedup();
    if samples.len() > 1 {
        warnings.push(Warning::SamplesDiffer { samples });
    }
    let runs = |group: &&Group| {
        group.seeds.iter().all(Option::is_some) && !audits[group.members[0]].subject.is_frozen()
    };
    let trained: Vec<&Group> = groups.iter().filter(runs).collect();
    let single = trained.iter().filter(|group| group.seeds.len() == 1).map(|group| group.name.clone());
    let single: Vec<String> = single.collect();
    if !single.is_empty() {
        warnings.push(Warning::OneSeed { groups: single });
    }
    for (i, a) in trained.iter().enumerate() {
        let others = trained[i + 1..].iter().filter(|b| a.seeds != b.seeds);
        warnings.extend(others.map(|b| Warning::SeedsDiffer { a: a.name.clone(), b: b.name.clone() }));
    }
    warnings
}
