//! What audits are put together from.

use record::audit::{
    Audit, CheckId, CheckResult, Consistency, Evidence, Gamma, GammaMean, Nudge, Null, NullKind, Outcome,
    Quantity, Rho, Settings, Standing, State, Subject, UnitAudit, Verdict,
};
use record::{Measured, Why};

pub(super) fn settings() -> Settings {
    audit::settings(&audit::Thresholds::default(), 1280)
}

pub(super) fn defined(value: f64) -> Measured {
    Measured::Defined { value }
}

/// A band from `low` to `high`, as 20 draws may give it.
pub(super) fn null(kind: NullKind, of: Quantity, value: f64, low: f64, high: f64) -> Null {
    let null = audit::band(kind, of, 1280, value, &[low, high]).expect("finite");
    Null { draws: 20, ..null }
}

/// Evidence as it is measured at a unit with this cosine; `nulls` says whether chance can be drawn at all.
pub(super) fn evidence(cosine: Measured, rho: f64, change: f64, nulls: bool) -> Evidence {
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

pub(super) fn unit(
    index: usize,
    credit: f64,
    here: Evidence,
    standing: Standing,
    notes: Vec<String>,
) -> UnitAudit {
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

pub(super) fn check(check: CheckId, statistic: f64, threshold: f64, first_fired: Option<u64>) -> CheckResult {
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

pub(super) fn not_assessed(id: CheckId, threshold: f64, why: &str) -> CheckResult {
    let outcome = Outcome::NotAssessed { why: why.to_owned() };
    CheckResult { outcome, statistic: None, margin: None, ..check(id, 0.0, threshold, None) }
}

pub(super) fn run(rule: &str, seed: u64, frozen: bool) -> Subject {
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

pub(super) fn audit(subject: Subject, accuracy: f64, frozen: Option<f64>) -> Audit {
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

pub(super) fn judged(
    mut audit: Audit,
    hidden: [f64; 5],
    gradient: [f64; 5],
    checks: Vec<CheckResult>,
) -> Audit {
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
