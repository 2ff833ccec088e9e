//! The recipe of `docs/foreign-runs.md` as PyTorch runs it, on networks that this program does not have.

use audit::dump::{self, Dump, DumpOptions, Loss};
use audit::{median, norms};
use protocol::growth;
use record::audit::{Audit, CheckId, Outcome, Standing, Warning};
use std::path::Path;
use std::process::Command;

/// Growth of the stream, and ‖g_L‖ at N = 128.
fn numbers(dump: &Dump) -> (f64, f64) {
    let typical = |rows: &dump::DumpRows| median(norms(&rows.values, rows.width).collect());
    let gradients = dump.gradients.as_ref().unwrap();
    assert_eq!(gradients.of, Loss::Own);
    let hidden: Vec<f64> = dump.hidden.iter().map(typical).collect();
    (growth(&hidden), typical(gradients.layers.last().unwrap()) / 128.0)
}

#[test]
#[cfg_attr(
    not(with_python),
    ignore = "set CREDITSCOPE_PYTHON to a Python that can import torch, numpy and safetensors"
)]
fn the_recipe_on_the_page_makes_dumps_that_are_judged() {
    let python = std::env::var_os("CREDITSCOPE_PYTHON").expect("the variable was there at build time");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/dump_example.py");
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let healthy = dump::read(&folder.path().join("healthy.safetensors")).unwrap();
    let degenerate = dump::read(&folder.path().join("degenerate.npz")).unwrap();
    for dump in [&healthy, &degenerate] {
        assert_eq!((dump.samples, dump.blocks, dump.hidden[0].width), (1280, 3, 90));
        assert!(dump.ignored.is_empty() && dump.half.is_empty() && dump.labels.is_some());
        assert!(dump.head.as_ref().unwrap().norm.is_some());
    }
    // The values of healthy and degenerate networks, by the calibration of the protocol.
    let ((stable, alive), (blown, gone)) = (numbers(&healthy), numbers(&degenerate));
    assert!(stable < 25.0 && alive > 1e-5, "{stable}, {alive}");
    assert!(blown > 50.0 && gone < 1e-7, "{blown}, {gone}");
    // The credit of a healthy network is its gradient at the output.
    assert_eq!(healthy.credit.blocks, healthy.gradients.as_ref().unwrap().layers[1..]);
    judged(folder.path());
}

/// What the audit makes of them.
fn judged(folder: &Path) {
    let judge = |name: &str, accuracy: f64, frozen: f64| -> Audit {
        let options =
            DumpOptions { accuracy: Some(accuracy), frozen: Some(frozen), ..DumpOptions::default() };
        dump::judge_files(&[folder.join(name)], &options).unwrap().remove(0)
    };
    let healthy = judge("healthy.safetensors", 0.9, 0.6);
    assert_eq!(healthy.verdict.words(), "PASS");
    assert_eq!(healthy.warnings, []);
    let direction = healthy.checks.iter().find(|check| check.check == CheckId::Direction).unwrap();
    assert!(!matches!(direction.outcome, Outcome::NotAssessed { .. }), "1280 samples are ten batches");
    for unit in &healthy.units {
        let evidence = unit.here.as_ref().unwrap();
        assert!((evidence.cosine.defined().unwrap() - 1.0).abs() < 1e-12, "{unit:?}");
    }
    // Credit and reference are the same numbers, but the measured loss changes show that these are the gradient.
    let standings: Vec<Standing> = healthy.units.iter().map(|unit| unit.standing).collect();
    // Below the head no nudge can be measured, and nothing is useful without one.
    assert_eq!(standings[..3], [Standing::Detectable; 3]);
    assert_eq!(standings[3], Standing::Useful);
    for (unit, state) in healthy.units.iter().zip(&healthy.states) {
        let rho = unit.here.as_ref().unwrap().rho.unwrap();
        assert!(rho.value.defined().unwrap() > 0.99, "{rho:?}");
        let test = state.reference.unwrap();
        assert!(test.rho > 0.999 && test.error < 1e-3 && test.directions == 32, "{test:?}");
    }
    let degenerate = judge("degenerate.npz", 0.3, 0.35);
    assert_eq!(degenerate.verdict.words(), "FAIL(D1+D2+D3)");
    let standings: Vec<Standing> = degenerate.units.iter().map(|unit| unit.standing).collect();
    assert_eq!(standings[1..], [Standing::CannotBeJudged; 3], "{:?}", degenerate.units);
    // PyTorch's f32 agrees with head and labels in f64 even there.
    assert!(
        degenerate.warnings.iter().all(|warning| matches!(
            warning,
            Warning::ReferenceUnreliable { .. }
                | Warning::StepEnlarged { .. }
                | Warning::OneUnitDominates { .. }
                | Warning::DirectFeedback { .. }
                | Warning::GradientJumps { .. }
        )),
        "{:?}",
        degenerate.warnings
    );
}
