//! The files of several runs: those that name the same rule and seed are the epochs of one.

use super::DumpOptions;
use super::audit::judge_epochs;
use crate::dump::{About, DumpFault, Error, read, read_about};
use protocol::grouped;
use record::Remedy;
use record::audit::Audit;
use std::path::PathBuf;

/// Reads and judges files, one audit per run. Files of one rule and seed, or without either, are the epochs of one run, in order.
///
/// ```
/// use audit::dump::{DumpOptions, judge_files};
/// let refusal = judge_files(&["no-such-dump.npz".into()], &DumpOptions::default()).unwrap_err();
/// assert!(refusal.to_string().starts_with("no-such-dump.npz: cannot be read"));
/// ```
pub fn judge_files(paths: &[PathBuf], options: &DumpOptions) -> Result<Vec<Audit>, Error> {
    let named = paths.iter().map(|path| Ok((path, read_about(path)?)));
    let named = named.collect::<Result<Vec<(&PathBuf, About)>, Error>>()?;
    let runs = grouped(named, |(_, about)| (about.rule.clone(), about.seed));
    if let [_, (_, second), ..] = runs.as_slice() {
        alike(&second[0].0.display().to_string(), options)?;
    }
    if runs.is_empty() {
        return judge_epochs(std::iter::empty(), options).map(|audit| vec![audit]);
    }
    runs.iter().map(|(_, files)| judge_epochs(files.iter().map(|(path, _)| read(path)), options)).collect()
}

/// An accuracy from outside belongs to one run.
fn alike(second: &str, options: &DumpOptions) -> Result<(), Error> {
    let given = [(options.accuracy, Remedy::GiveAccuracy), (options.frozen, Remedy::GiveFrozenAccuracy)];
    let Some((_, remedy)) = given.into_iter().find(|(given, _)| given.is_some()) else { return Ok(()) };
    let fault = DumpFault::Options {
        what: "one accuracy is given, and these dumps are of several runs".to_owned(),
        advice: "save `accuracy` and `frozen_accuracy` in each dump instead",
        remedy,
    };
    Err(Error { dump: second.to_owned(), fault })
}
