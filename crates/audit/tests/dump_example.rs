//! The recipe of `docs/foreign-runs.md` as PyTorch runs it, on networks that this program does not have.

use audit::dump::{self, Dump, Loss};
use audit::{growth, median, norms};
use std::path::Path;
use std::process::Command;

/// Growth of the stream, and ‖g_L‖ at N = 128.
fn numbers(dump: &Dump) -> (f64, f64) {
    let typical = |rows: &dump::Rows| median(norms(&rows.values, rows.width).collect());
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
fn the_recipe_on_the_page_makes_dumps_that_are_read() {
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
    // Where healthy and degenerate networks lie, by the calibration of the protocol.
    let ((stable, alive), (blown, gone)) = (numbers(&healthy), numbers(&degenerate));
    assert!(stable < 25.0 && alive > 1e-5, "{stable}, {alive}");
    assert!(blown > 50.0 && gone < 1e-7, "{blown}, {gone}");
    // The credit of a healthy network is its gradient at the output.
    assert_eq!(healthy.credit.blocks, healthy.gradients.as_ref().unwrap().layers[1..]);
}
