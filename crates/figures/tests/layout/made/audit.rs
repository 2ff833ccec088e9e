//! The audit of a synthetic trial.

use super::{Plan, chance, measured};
use record::Unit;
use record::audit::{
    Audit, CheckId, CheckResult, Consistency, Evidence, Gamma, Nudge, Null, NullKind, Outcome, Place,
    Quantity, Rho, Settings, Standing, Subject, UnitAudit, Verdict,
};

pub(super) fn audit(plan: Plan, rule: &str, i: u64, seed: u64, bad: f64, accuracy: Option<f64>) -> Audit {
    let noise = |k: u64| chance(i * 31 + seed, 77, k) - 0.5;
    let evidence = |l: u64| {
        let value = 1.0 - bad * 0.4 + 0.2 * noise(l);
        let nulls = [NullKind::FreshFeedback, NullKind::PermutedLabels].into_iter().flat_map(|kind| {
            [Quantity::Cosine, Quantity::Rho, Quantity::Nudge].map(|of| Null {
                kind,
                of,
                draws: 20,
                samples: 128,
                value,
                low: -0.03 - 0.02 * noise(l + 7).abs(),
                high: 0.04,
                place: if value > 0.04 { Place::Above } else { Place::Inside },
            })
        });
        let one = measured(plan, value, l + i);
        Evidence {
            cosine: one,
            estimate: None,
            spread: Some(0.1),
            torch: None,
            rho: Some(Rho { value: one, gradient: one, step: 1e-3, enlarged: false, rounding: 0.0 }),
            nudges: vec![Nudge { eta: 0.01, change: measured(plan, -1e-3 * value, l), gradient: one }],
            nulls: if i == 0 { Vec::new() } else { nulls.collect() },
        }
    };
    let unit = |l: u64| UnitAudit {
        unit: Unit::at(l as usize),
        credit: Some(1.0),
        here: Some(evidence(l)),
        at_input: (l > 0).then(|| evidence(l + 40)),
        drift: Some(0.5),
        mean_credit: Vec::new(),
        effect: None,
        standing: Standing::Mixed,
        notes: Vec::new(),
    };
    let check = |check, statistic: f64, threshold: f64, fires: bool| CheckResult {
        check,
        outcome: if plan.broken && i == 1 {
            Outcome::NotAssessed { why: "no frozen baseline".to_owned() }
        } else if fires {
            Outcome::Fires
        } else {
            Outcome::Passes
        },
        statistic: (!plan.broken || i != 3).then_some(statistic),
        threshold,
        margin: Some(threshold / statistic),
        first_fired: fires.then_some(3),
        advisory: check == CheckId::Direction,
    };
    let growth = 2.0 * 10f64.powf(bad);
    let gradient = 1e-4 * 10f64.powf(-bad);
    let gain = 0.15 - 0.1 * bad;
    let checks = vec![
        check(CheckId::D1, growth, 50.0, growth > 50.0),
        check(CheckId::D2, gradient, 1e-7, gradient < 1e-7),
        check(CheckId::Direction, 0.1 + 0.1 * bad, 0.3, bad > 2.0),
        check(CheckId::D3, gain, 0.02, gain < 0.02),
    ];
    let count = plan.blocks as u64;
    Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: "0".to_owned(),
        subject: Subject::Dump { id: rule.to_owned(), rule: None, seed: None, hashes: Vec::new() },
        settings: Settings {
            samples: 1280,
            directions: 32,
            step: 1e-3,
            etas: vec![0.01],
            draws: 20,
            null_samples: 256,
            seed: 0,
            probe: false,
            thresholds: protocol::THRESHOLDS,
        },
        epoch: Some(plan.epochs),
        samples: 1280,
        accuracy,
        frozen: accuracy.map(|a| a - gain),
        error: Some(0.5),
        states: Vec::new(),
        units: (0..=count).map(unit).collect(),
        gamma: Gamma::default(),
        checks,
        verdict: Verdict::NotAssessed,
        consistency: Consistency::NotAssessed { why: "made up".to_owned() },
        warnings: Vec::new(),
        seconds: 0.0,
    }
}
