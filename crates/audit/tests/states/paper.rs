//! A rule whose paper reports another credit than training uses.

use crate::tower::{CLASSES, INPUTS, N, audit, data, learner};
use nn::MlpSpec;
use rules::signals;

/// Equilibrium propagation's displacement at h_l is compared with p_l; its own credit, with p at the output.
#[test]
fn the_paper_compares_what_the_source_reports() {
    // Branches that matter: otherwise a displacement would hardly differ from the credit above it.
    let spec = MlpSpec { w2_std: 0.5, ..MlpSpec::resmlp(INPUTS, 8, 3, CLASSES) };
    let net = spec.build().expect("valid");
    let trained = learner(net, "ep");
    let found = audit(&trained, 1);
    let mut chunk = trained.chunk(N);
    (chunk.x, chunk.labels) = data();
    let seen = signals(&trained, &mut chunk, 128);
    let reported = seen.report.at_input.as_ref().expect("a displacement");
    let mean = |a: &[f32], p: &[f32]| {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let rows = a.chunks_exact(8).zip(p.chunks_exact(8));
        rows.map(|(a, p)| dot(a, p) / (dot(a, a) * dot(p, p)).sqrt()).sum::<f64>() / N as f64
    };
    for (unit, l) in found.units[1..].iter().zip(0..) {
        let (here, paper) =
            (unit.here.as_ref().expect("measured"), unit.at_input.as_ref().expect("one size"));
        let value = |evidence: &record::audit::Evidence| evidence.cosine.value().expect("defined");
        assert!((value(here) - mean(&seen.credit[l + 1], &seen.p[l + 1])).abs() < 1e-4, "{unit:?}");
        assert!((value(paper) - mean(&reported[l], &seen.p[l])).abs() < 1e-4, "{unit:?}");
        assert!((mean(&reported[l], &seen.p[l]) - mean(&seen.credit[l + 1], &seen.p[l])).abs() > 1e-3);
        assert!(!here.nulls.is_empty(), "credit under other labels");
        assert!(paper.nulls.is_empty(), "draws of the rule's own credit are no null of another: {paper:?}");
    }
}
