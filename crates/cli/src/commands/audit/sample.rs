//! A set of audits made by hand for the tests: a healthy bp, a degenerate dfa, an fa with mixed evidence, a dump with
//! holes, and two groups of frozen baselines. Numbers are of the size that the protocol's calibration gives.

use record::audit::{
    Audit, AuditSet, CheckId, CheckResult, Consistency, Evidence, Fault, Finding, Gamma, GammaMean, Group,
    Nudge, Null, NullKind, Outcome, Pair, Place, Quantity, Rho, Series, Settings, Standing, State, Subject,
    UnitAudit, Verdict, Warning,
};
use record::{Measured, Why};

const SEEDS: [u64; 3] = [42, 123, 456];

fn settings() -> Settings {
    Settings {
        samples: 1280,
        directions: 32,
        step: 1e-3,
        etas: vec![0.003, 0.01, 0.1],
        draws: 20,
        null_samples: 256,
        seed: 0,
        probe: false,
        growth: 50.0,
        floor: 1e-7,
        gain: 0.02,
        solved: 0.05,
        ceiling: 0.03,
        direction: 0.3,
    }
}

pub(super) fn defined(value: f64) -> Measured {
    Measured::Defined { value }
}

pub(super) fn null(kind: NullKind, of: Quantity, value: f64, low: f64, high: f64) -> Null {
    let place = if value < low {
        Place::Below
    } else if value > high {
        Place::Above
    } else {
        Place::Inside
    };
    Null { kind, of, draws: 20, samples: 1280, value, low, high, place }
}

/// Evidence as it is measured at a unit with this cosine; `nulls` says whether chance can be drawn at all.
fn evidence(cosine: Measured, rho: f64, change: f64, nulls: bool) -> Evidence {
    let of = |kind, width: f64| {
        let c = cosine.value().unwrap_or(0.0);
        [
            null(kind, Quantity::Cosine, c, -0.031 * width, 0.042 * width),
            null(kind, Quantity::Rho, rho, -0.035 * width, 0.031 * width),
            null(kind, Quantity::Nudge, change, -0.002 * width, 0.0015 * width),
        ]
    };
    let nulls = if nulls {
        [of(NullKind::FreshFeedback, 1.0), of(NullKind::PermutedLabels, 0.5)].concat()
    } else {
        Vec::new()
    };
    let doubt = |value: f64| match cosine {
        Measured::Defined { .. } => defined(value),
        _ => Measured::Undefined { why: Why::Rounding },
    };
    Evidence {
        cosine,
        spread: Some(0.12),
        torch: cosine.value().map(|value| if cosine.defined().is_some() { value } else { value / 8.0 }),
        rho: Some(Rho {
            value: doubt(rho),
            gradient: doubt(0.998),
            step: 1e-3,
            enlarged: false,
            rounding: 1e-6,
        }),
        nudges: [0.003, 0.01, 0.1]
            .map(|eta| Nudge {
                eta,
                change: defined(change * eta / 0.01),
                gradient: defined(-0.031 * eta / 0.01),
            })
            .to_vec(),
        nulls,
    }
}

fn unit(index: usize, credit: f64, here: Evidence, standing: Standing, notes: Vec<String>) -> UnitAudit {
    let name = if index == 0 { "embed".to_owned() } else { format!("block {}", index - 1) };
    let paper = (index > 0).then(|| here.clone());
    UnitAudit {
        unit: name,
        credit: Some(credit),
        here: Some(here),
        paper,
        drift: Some(0.41 + 0.1 * index as f64),
        standing,
        notes,
    }
}

fn check(check: CheckId, statistic: f64, threshold: f64, first_fired: Option<u64>) -> CheckResult {
    let (margin, safe) = match check {
        CheckId::D1 | CheckId::Consistency => (threshold / statistic, statistic <= threshold),
        CheckId::D2 => (statistic / threshold, statistic >= threshold),
        CheckId::Direction => (threshold - statistic, statistic <= threshold),
        CheckId::D3 => (statistic - threshold, statistic >= threshold),
    };
    CheckResult {
        check,
        outcome: if safe { Outcome::Passes } else { Outcome::Fires },
        statistic: Some(statistic),
        threshold,
        margin: Some(margin),
        first_fired,
        advisory: check == CheckId::Direction,
    }
}

fn not_assessed(id: CheckId, threshold: f64, why: &str) -> CheckResult {
    let outcome = Outcome::NotAssessed { why: why.to_owned() };
    CheckResult { outcome, statistic: None, margin: None, ..check(id, 0.0, threshold, None) }
}

fn run(rule: &str, seed: u64, frozen: bool) -> Subject {
    let group = if frozen { format!("{rule}-frozen") } else { rule.to_owned() };
    Subject::Run {
        id: format!("{group}-s{seed}"),
        group,
        rule: rule.to_owned(),
        seed,
        frozen,
        recipe_hash: "ab".repeat(32),
        data_hash: "cd".repeat(32),
        checkpoint: Some("ef".repeat(32)),
    }
}

fn audit(subject: Subject, accuracy: f64, frozen: Option<f64>) -> Audit {
    Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: "0.1.0".to_owned(),
        subject,
        settings: settings(),
        epoch: Some(100),
        samples: 1280,
        accuracy: Some(accuracy),
        frozen,
        error: Some(0.71),
        states: Vec::new(),
        units: Vec::new(),
        gamma: Gamma::default(),
        checks: Vec::new(),
        verdict: Verdict::NotAssessed,
        consistency: Consistency::Agrees { worst: 3e-7 },
        warnings: Vec::new(),
        seconds: 1.5,
    }
}

fn judged(mut audit: Audit, hidden: [f64; 5], gradient: [f64; 5], checks: Vec<CheckResult>) -> Audit {
    let state =
        |(h, g): (f64, f64)| State { hidden: Some(h), gradient: Some(g), precisions: Some(1.0), probe: None };
    audit.states = hidden.into_iter().zip(gradient).map(state).collect();
    let mean = |cosines: &[&Measured]| {
        let known: Vec<f64> = cosines.iter().filter_map(|c| c.defined()).collect();
        let all: Vec<f64> = cosines.iter().filter_map(|c| c.value()).collect();
        let of = |v: &[f64]| (!v.is_empty()).then(|| v.iter().sum::<f64>() / v.len() as f64);
        GammaMean { defined: of(&known), units: known.len() as u64, of: cosines.len() as u64, all: of(&all) }
    };
    let here: Vec<&Measured> =
        audit.units.iter().filter_map(|u| u.here.as_ref()).map(|e| &e.cosine).collect();
    let paper: Vec<&Measured> =
        audit.units.iter().filter_map(|u| u.paper.as_ref()).map(|e| &e.cosine).collect();
    audit.gamma = Gamma { here: mean(&here), paper: mean(&paper) };
    audit.verdict = Verdict::of(&checks);
    audit.checks = checks;
    audit
}

fn bp(seed: u64, shift: f64) -> Audit {
    let mut bp = audit(run("bp", seed, false), 0.751 + shift, Some(0.631));
    bp.units = (0..5)
        .map(|u| unit(u, 0.14, evidence(defined(1.0), 0.998, -0.031, false), Standing::Useful, vec![]))
        .collect();
    let checks = vec![
        check(CheckId::D1, 1.6 + shift, 50.0, None),
        check(CheckId::D2, 3.1e-4, 1e-7, None),
        check(CheckId::Direction, 0.12, 0.3, None),
        check(CheckId::D3, 0.12 + shift, 0.02, None),
        check(CheckId::Consistency, 3e-7, 1e-4, None),
    ];
    judged(bp, [8.71, 13.9, 22.0, 34.5, 48.2], [0.14, 0.11, 0.08, 0.06, 0.04], checks)
}

fn dfa(seed: u64, shift: f64) -> Audit {
    let mut dfa = audit(run("dfa", seed, false), 0.551 + shift, Some(0.622));
    let deep = |value: f64| Measured::Unreliable { value: value + shift, why: Why::ReferenceBelowFloor };
    let embed = evidence(defined(0.37 + shift), 0.41, -0.012, true);
    let first = evidence(defined(0.53 + shift), 0.52, -0.021, true);
    dfa.units = vec![
        unit(0, 0.85, embed, Standing::Useful, vec![]),
        unit(1, 0.85, first, Standing::Useful, vec![]),
        unit(2, 0.91, evidence(deep(0.011), 0.0, 2e-5, true), Standing::CannotBeJudged, vec![]),
        unit(3, 0.88, evidence(deep(-0.013), 0.0, -1e-5, true), Standing::CannotBeJudged, vec![]),
        unit(4, 0.87, evidence(deep(0.002), 0.0, 3e-5, true), Standing::CannotBeJudged, vec![]),
    ];
    dfa.warnings = vec![
        Warning::ReferenceUnreliable { units: 3, of: 5 },
        Warning::OneUnitDominates { unit: "block 0".to_owned(), mean: 0.45, without: 0.37 },
    ];
    let checks = vec![
        check(CheckId::D1, 6.5e4 * (1.0 + 20.0 * shift), 50.0, Some(3)),
        check(CheckId::D2, 4.2e-9 * (1.0 + 20.0 * shift), 1e-7, Some(if seed == 456 { 3 } else { 4 })),
        check(CheckId::Direction, 0.62, 0.3, None),
        check(CheckId::D3, -0.071 + shift, 0.02, None),
        check(CheckId::Consistency, 2e-7, 1e-4, None),
    ];
    judged(dfa, [8.9, 3.1e3, 8.8e5, 1.2e8, 4.1e8], [0.021, 3.2e-5, 1.1e-6, 6.3e-7, 5.4e-7], checks)
}

fn fa(seed: u64, shift: f64) -> Audit {
    let mut fa = audit(run("fa", seed, false), 0.702 + shift, None);
    let disagree = "cosine is within chance, yet the nudge lowers the loss".to_owned();
    let mixed = evidence(defined(0.03 + shift), 0.02, -0.0041, true);
    let odd = if seed == 456 { Standing::Chance } else { Standing::Misleading };
    let away = evidence(defined(if seed == 456 { -0.02 } else { -0.085 }), -0.07, 0.004, true);
    fa.units = vec![
        unit(0, 0.011, evidence(defined(0.37 + shift), 0.39, -0.011, true), Standing::Useful, vec![]),
        unit(1, 0.012, mixed, Standing::Mixed, vec![disagree]),
        unit(2, 0.011, away, odd, vec![]),
        unit(
            3,
            0.0,
            Evidence {
                spread: None,
                torch: Some(0.0),
                rho: None,
                nudges: vec![],
                nulls: vec![],
                cosine: Measured::Undefined { why: Why::CreditVanished },
            },
            Standing::Dead,
            vec![],
        ),
        unit(4, 0.01, evidence(defined(1.0), 0.997, -0.03, false), Standing::Useful, vec![]),
    ];
    fa.warnings = vec![Warning::EvidenceDisagrees { units: vec!["block 0".to_owned()] }];
    let mut checks = vec![
        check(CheckId::D1, 9.3, 50.0, None),
        check(CheckId::D2, 1.2e-5, 1e-7, None),
        check(CheckId::Direction, 0.21, 0.3, None),
        not_assessed(CheckId::D3, 0.02, "no frozen baseline"),
        check(CheckId::Consistency, 4e-7, 1e-4, None),
    ];
    if seed == 456 {
        checks[4] = check(CheckId::Consistency, 2.0, 1e-4, None);
        let sign = Finding { unit: "block 2".to_owned(), fault: Fault::SignFlipped, difference: Some(2.0) };
        fa.consistency = Consistency::Differs { findings: vec![sign] };
    }
    judged(fa, [8.8, 21.0, 60.1, 310.0, 902.0], [0.09, 0.02, 0.008, 0.003, 0.0015], checks)
}

fn baseline(rule: &str, seed: u64, accuracy: f64) -> Audit {
    let checks = vec![check(CheckId::D1, 1.2, 50.0, None), check(CheckId::D2, 4e-9, 1e-7, None)];
    let states = [8.7, 8.8, 8.9, 9.0, 9.1];
    judged(audit(run(rule, seed, true), accuracy, None), states, [0.1; 5], checks)
}

/// Tensors from elsewhere: no first state, no labels, no baseline, one cosine without anything beside it.
fn dump() -> Audit {
    let subject = Subject::Dump { id: "epoch9, \"b\" <1>.npz".to_owned(), hashes: vec!["12".repeat(32)] };
    let mut dump =
        Audit { accuracy: None, error: None, epoch: None, samples: 96, ..audit(subject, 0.0, None) };
    let alone = Evidence {
        cosine: defined(0.21),
        spread: Some(0.3),
        torch: Some(0.21),
        rho: None,
        nudges: vec![],
        nulls: vec![null(NullKind::ShuffledSamples, Quantity::Cosine, 0.21, -0.05, 0.06)],
    };
    let broken = Evidence {
        cosine: Measured::Undefined { why: Why::NotFinite },
        spread: None,
        torch: None,
        nulls: vec![],
        ..alone.clone()
    };
    let holes = UnitAudit {
        drift: None,
        paper: None,
        credit: None,
        here: None,
        ..unit(0, 0.0, alone.clone(), Standing::Unconfirmed, vec![])
    };
    dump.units = vec![
        holes,
        UnitAudit { drift: None, ..unit(1, 0.5, alone, Standing::Useful, vec![]) },
        UnitAudit { drift: None, ..unit(2, f64::INFINITY, broken, Standing::Broken, vec![]) },
    ];
    dump.consistency = Consistency::NotAssessed { why: "nothing is known about the rule".to_owned() };
    dump.warnings = vec![
        Warning::TooFewSamples { samples: 96, wanted: 1280 },
        Warning::Missing { tensors: vec!["h_0".to_owned()], unjudged: "D1 has no first ratio".to_owned() },
    ];
    let checks = vec![
        not_assessed(CheckId::D1, 50.0, "hidden states are missing"),
        not_assessed(CheckId::D2, 1e-7, "no error in the dump"),
        not_assessed(CheckId::D3, 0.02, "no frozen baseline"),
    ];
    let mut dump = judged(dump, [0.0; 5], [0.0; 5], checks);
    let known = State { hidden: Some(12.0), gradient: Some(0.031), precisions: None, probe: None };
    dump.states = vec![State::default(), known.clone(), State { hidden: Some(f64::INFINITY), ..known }];
    dump
}

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
