//! The scripts' side: what matplotlib was told to plot.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a script plots of a tree: its figures, in order of saving.
pub(crate) fn plotted(script: &str, tree: &Path) -> Vec<Value> {
    let get = |name| std::env::var_os(name).map(PathBuf::from).expect("it was there at build time");
    let recorder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/plotted_values.py");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("plotted.json");
    let mut command = Command::new(get("CREDITSCOPE_PYTHON"));
    command.arg(recorder).arg(get("CREDITSCOPE_SEEDS").join(script)).arg(tree).arg(&out);
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{script}: {}", String::from_utf8_lossy(&ended.stderr));
    let record: Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    record["figures"].as_array().unwrap().clone()
}

/// The axes of the figure that was saved under a name that ends so.
pub(crate) fn axes(figures: &[Value], file: &str) -> Vec<Value> {
    let is_it = |figure: &&Value| list(&figure["files"]).iter().any(|f| f.as_str().unwrap().ends_with(file));
    list(&figures.iter().find(is_it).unwrap_or_else(|| panic!("no figure {file}"))["axes"]).to_vec()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    // What is not finite stands as a word.
    list(value).iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

/// The points of a line.
pub(crate) fn points(line: &Value) -> Vec<(f64, f64)> {
    numbers(&line["x"]).into_iter().zip(numbers(&line["y"])).collect()
}

/// Whether two numbers are the same up to rounding.
pub(crate) fn same(a: f64, b: f64, tolerance: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// Whether two lines are the same.
pub(crate) fn same_line(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(p, q)| p.0 == q.0 && same(p.1, q.1, 1e-12))
}
