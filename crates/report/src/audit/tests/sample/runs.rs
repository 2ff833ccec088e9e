//! The runs and the dump of the sample. Numbers are of the size that the protocol's calibration gives.

use super::pieces::{audit, check, defined, evidence, judged, not_assessed, null, run, stepped, unit};
use record::audit::{
    Audit, CheckId, Consistency, Evidence, Fault, Finding, NullKind, Quantity, Standing, State, Subject,
    UnitAudit, Warning,
};
use record::{Measured, Unit, Why};

pub(super) fn bp(seed: u64, shift: f64) -> Audit {
    let mut bp = audit(run("bp", seed, false), 0.751 + shift, Some(0.631));
    bp.units = (0..5)
        .map(|u| unit(u, 0.14, evidence(defined(1.0), 0.998, -0.031, false), Standing::Useful, vec![]))
        .collect();
    stepped(&mut bp, [-0.038, -0.016, -0.011, -0.011, -0.011]);
    let checks = vec![
        check(CheckId::D1, 1.6 + shift, 50.0, None),
        check(CheckId::D2, 3.1e-4, 1e-7, None),
        check(CheckId::Direction, 0.12, 0.3, None),
        check(CheckId::D3, 0.12 + shift, 0.02, None),
        check(CheckId::Consistency, 3e-7, 1e-4, None),
    ];
    judged(bp, [8.71, 13.9, 22.0, 34.5, 48.2], [0.14, 0.11, 0.08, 0.06, 0.04], checks)
}

pub(super) fn dfa(seed: u64, shift: f64) -> Audit {
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
    stepped(&mut dfa, [-2.1e-3, -1.9e-4, -1.3e-4, -3.0e-4, -1.9e-4]);
    dfa.warnings = vec![
        Warning::ReferenceUnreliable { units: 3, of: 5 },
        Warning::OneUnitDominates { unit: Unit::Block(0), mean: 0.45, without: 0.37 },
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

pub(super) fn fa(seed: u64, shift: f64) -> Audit {
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
                estimate: None,
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
    fa.warnings = vec![Warning::EvidenceDisagrees { units: vec![Unit::Block(0)] }];
    let mut checks = vec![
        check(CheckId::D1, 9.3, 50.0, None),
        check(CheckId::D2, 1.2e-5, 1e-7, None),
        check(CheckId::Direction, 0.21, 0.3, None),
        not_assessed(CheckId::D3, 0.02, "no frozen baseline"),
        check(CheckId::Consistency, 4e-7, 1e-4, None),
    ];
    if seed == 456 {
        checks[4] = check(CheckId::Consistency, 2.0, 1e-4, None);
        let sign = Finding { unit: Unit::Block(2).into(), fault: Fault::SignFlipped, difference: Some(2.0) };
        fa.consistency = Consistency::Differs { findings: vec![sign] };
    }
    judged(fa, [8.8, 21.0, 60.1, 310.0, 902.0], [0.09, 0.02, 0.008, 0.003, 0.0015], checks)
}

pub(super) fn baseline(rule: &str, seed: u64, accuracy: f64) -> Audit {
    let checks = vec![check(CheckId::D1, 1.2, 50.0, None), check(CheckId::D2, 4e-9, 1e-7, None)];
    let states = [8.7, 8.8, 8.9, 9.0, 9.1];
    judged(audit(run(rule, seed, true), accuracy, None), states, [0.1; 5], checks)
}

/// Tensors from elsewhere: no first state, no labels, no baseline, one cosine without other evidence.
pub(super) fn dump() -> Audit {
    let subject = Subject::Dump {
        id: "epoch9, \"b\" <1>.npz".to_owned(),
        rule: None,
        seed: None,
        hashes: vec!["12".repeat(32)],
    };
    let mut dump =
        Audit { accuracy: None, error: None, epoch: None, samples: 96, ..audit(subject, 0.0, None) };
    let alone = Evidence {
        cosine: defined(0.21),
        estimate: None,
        spread: Some(0.3),
        torch: Some(0.21),
        rho: None,
        nudges: vec![],
        nulls: vec![null(NullKind::ShuffledSamples, Quantity::Cosine, 0.21, -0.05, 0.06)],
    };
    let broken = Evidence {
        cosine: Measured::Undefined { why: Why::NotFinite },
        estimate: None,
        spread: None,
        torch: None,
        nulls: vec![],
        ..alone.clone()
    };
    let holes = UnitAudit {
        drift: None,
        at_input: None,
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
    let known = State { hidden: Some(12.0), gradient: Some(0.031), ..State::default() };
    dump.states = vec![State::default(), known.clone(), State { hidden: Some(f64::INFINITY), ..known }];
    dump
}
