//! A set of audits made by hand for the tests: a healthy bp, a degenerate dfa, an fa with mixed evidence, a dump with
//! holes, and two groups of frozen baselines.

mod pieces;
mod runs;

use record::audit::{Audit, AuditSet, Group, Pair, Series, Verdict, Warning};
use runs::{baseline, bp, dfa, dump, fa};

const SEEDS: [u64; 3] = [42, 123, 456];

fn group(audits: &[Audit], name: &str) -> Group {
    let members: Vec<usize> = (0..audits.len()).filter(|&i| audits[i].subject.group() == name).collect();
    let of = |i: &usize| &audits[*i];
    let verdicts: Vec<Verdict> = members.iter().map(|i| of(i).verdict.clone()).collect();
    let count = |v: &Verdict| verdicts.iter().filter(|other| *other == v).count();
    let verdict = verdicts.iter().max_by_key(|v| (count(v), *v)).expect("a member").clone();
    let values: Vec<Option<f64>> = members.iter().map(|i| of(i).accuracy).collect();
    Group {
        name: name.to_owned(),
        seeds: members.iter().map(|i| of(i).subject.seed()).collect(),
        series: vec![Series { name: "accuracy".to_owned(), mean: values[0], values, sd: None }],
        agree: count(&verdict) as u64,
        members,
        verdicts,
        verdict,
    }
}

/// A set of these audits, grouped.
pub(super) fn set(audits: Vec<Audit>) -> AuditSet {
    let mut names: Vec<String> = Vec::new();
    for audit in &audits {
        if !names.iter().any(|name| name == audit.subject.group()) {
            names.push(audit.subject.group().to_owned());
        }
    }
    let groups = names.iter().map(|name| group(&audits, name)).collect();
    AuditSet { schema: AuditSet::SCHEMA.to_owned(), audits, groups, pairs: vec![], warnings: vec![] }
}

/// All of it.
pub(super) fn sample() -> AuditSet {
    let shifts = [0.0, 0.004, -0.006];
    let over = |make: fn(u64, f64) -> Audit| SEEDS.into_iter().zip(shifts).map(move |(s, d)| make(s, d));
    let frozen = |rule: &'static str, x: f64| SEEDS.map(|seed| baseline(rule, seed, x));
    let audits = over(bp).chain(over(dfa)).chain(over(fa)).chain([dump()]);
    let audits = audits.chain(frozen("bp", 0.631)).chain(frozen("dfa", 0.622)).collect();
    let pair = |of: &str, differences: [f64; 3], mean, sd| Pair {
        a: "bp".to_owned(),
        b: "dfa".to_owned(),
        of: of.to_owned(),
        seeds: SEEDS.to_vec(),
        differences: differences.to_vec(),
        mean,
        sd: Some(sd),
    };
    AuditSet {
        pairs: vec![
            pair("accuracy", [0.2, 0.201, 0.199], 0.2, 0.001),
            pair("gradient", [3.1e-4, 3.2e-4, 3.0e-4], 3.1e-4, 1e-5),
        ],
        warnings: vec![Warning::SamplesDiffer { samples: vec![96, 1280] }],
        ..set(audits)
    }
}

/// One run by itself.
pub(super) fn alone() -> AuditSet {
    set(vec![dfa(42, 0.0)])
}
