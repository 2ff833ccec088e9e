//! Dumps of other programs, judged as the audit judges them.

use audit::dump::{DumpOptions, judge_files};
use figures::reader::{Note, ReadError, Trial, trial_of_audit};
use std::path::Path;

pub(super) fn trials(path: &Path, _notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    // A record, so the message names its path once.
    let broken = |error: audit::dump::Error| ReadError::malformed(path, error.fault.to_string());
    let audits = judge_files(&[path.to_owned()], &DumpOptions::default()).map_err(broken)?;
    Ok(audits.into_iter().map(|audit| trial_of_audit(path, None, audit)).collect())
}
