//! What audits are put together from.

use record::audit::{
    Audit, CheckId, CheckResult, Consistency, Effect, Evidence, Gamma, Moved, Nudge, Null, NullKind, Outcome,
    Place, Quantity, Rho, Settings, Standing, State, Subject, UnitAudit, Verdict,
};
use record::{Measured, Unit, Why};

pub(super) fn settings() -> Settings {
    protocol::settings(&protocol::THRESHOLDS, 1280)
}

pub(super) fn defined(value: f64) -> Measured {
    Measured::Defined { value }
}

/// A band from `low` to `high`, as 20 draws may give it.
pub(super) fn null(kind: NullKind, of: Quantity, value: f64, low: f64, high: f64) -> Null {
    let place = match value {
        _ if value < low => Place::Below,
        _ if value > high => Place::Above,
        _ => Place::Inside,
    };
    Null { kind, of, draws: 20, samples: 1280, value, low, high, place }
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
    let at_input = (index > 0).then(|| here.clone());
    UnitAudit {
        unit: Unit::at(index),
        credit: Some(credit),
        here: Some(here),
        at_input,
        drift: Some(0.41 + 0.1 * index as f64),
        mean_credit: vec![],
        effect: None,
        standing,
        notes,
    }
}

/// A step of the optimiser that changes the loss by this share at each unit.
pub(super) fn stepped(audit: &mut Audit, shares: [f64; 5]) {
    for (unit, share) in audit.units.iter_mut().zip(shares) {
        unit.effect = Some(Effect { moved: Moved::Parameters, step: 1e-3, share });
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
        modifiers: None,
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
        carried: None,
    }
}

pub(super) fn judged(
    mut audit: Audit,
    hidden: [f64; 5],
    gradient: [f64; 5],
    checks: Vec<CheckResult>,
) -> Audit {
    let state = |(h, g): (f64, f64)| State {
        hidden: Some(h),
        gradient: Some(g),
        precisions: Some(1.0),
        sensitivity: Some(h * g),
        probe: None,
        reference: None,
    };
    audit.states = hidden.into_iter().zip(gradient).map(state).collect();
    audit.gamma = protocol::gamma(&audit.units);
    audit.verdict = protocol::verdict(&checks);
    audit.checks = checks;
    audit
}
