//! Runs made by hand, and exports of them.

#[path = "../../../record/tests/record/made.rs"]
mod runs;

use paper::{Report, ScriptNeeds, export};
use record::series::Quantity;
use record::{Epoch, Measured, Run};
pub(crate) use runs::{cifar, run};

/// The same run under another name with one recipe key changed.
pub(crate) fn with(mut run: Run, key: &str, value: impl Into<toml::Value>) -> Run {
    let value = value.into();
    run.record.id = format!("{}+{key}={value}", run.record.id);
    run.recipe.insert(key.to_owned(), value);
    run
}

/// An export into a folder of its own.
pub(crate) fn export_of(runs: &[Run]) -> (tempfile::TempDir, Report) {
    let out = tempfile::tempdir().unwrap();
    let report = export(runs, out.path()).unwrap();
    (out, report)
}

/// What the report says about a script.
pub(crate) fn script_of<'a>(report: &'a Report, name: &str) -> &'a ScriptNeeds {
    report.missing.iter().find(|needs| needs.script == name).unwrap()
}

/// Puts a value of a series in the place of another.
pub(crate) fn set(epoch: &mut Epoch, quantity: &Quantity, index: usize, value: impl Into<Measured>) {
    epoch.evaluation.series.get_mut(quantity.name).unwrap().values[index] = value.into();
}
