//! Audits of many runs, one run per core, and their comparison.

use super::AuditOptions;
use super::likeness::{Alike, group_names, place, sweeps};
use super::whole::audit_run;
use crate::{DataSets, Error, pool};
use data::Dataset;
use record::audit::{Audit, AuditSet, Subject};
use record::{Run, find_runs};
use std::path::Path;
use std::sync::Arc;

/// Audits of runs under equal conditions.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// How its runs differ from those of the other sweeps: keys with their values. Empty if it is the only sweep.
    pub differs: Vec<(String, String)>,
    /// The audits.
    pub set: AuditSet,
}

impl Sweep {
    /// `net.blocks = 4, net.alpha = 0.5`.
    pub fn name(&self) -> String {
        let words: Vec<String> = self.differs.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        words.join(", ")
    }
}

/// The sets of sweeps as JSON: one as it is, several as a list.
pub fn audits_json(sweeps: &[Sweep]) -> Result<String, serde_json::Error> {
    let text = match sweeps {
        [only] => serde_json::to_string_pretty(&only.set)?,
        _ => serde_json::to_string_pretty(&sweeps.iter().map(|sweep| &sweep.set).collect::<Vec<_>>())?,
    };
    Ok(text + "\n")
}

/// The result of [`audit_runs`].
#[derive(Debug)]
pub struct Audited {
    /// One table per set of conditions, in the order of the runs.
    pub sweeps: Vec<Sweep>,
    /// Why audits could not be written, one reason per run directory.
    pub unsaved: Vec<record::Error>,
}

/// Audits runs and, unless the options say otherwise, writes `audit.json` into each directory. Baselines are searched for among
/// the runs and in the same folders. `done` is called after each run.
pub fn audit_runs(
    runs: &[Run],
    options: &AuditOptions,
    done: &(dyn Fn(&str) + Sync),
) -> Result<Audited, Error> {
    let mut runs = runs.to_vec();
    runs.sort_by_cached_key(place);
    let runs = runs.as_slice();
    let alike = if options.mixed {
        vec![Alike { runs: (0..runs.len()).collect(), differs: Vec::new() }]
    } else {
        sweeps(runs)
    };
    let mut names = vec![String::new(); runs.len()];
    for sweep in &alike {
        let members: Vec<&Run> = sweep.runs.iter().map(|&index| &runs[index]).collect();
        for (&index, name) in sweep.runs.iter().zip(group_names(&members)?) {
            names[index] = name;
        }
    }
    let candidates = with_neighbours(runs);
    let data = load(runs, options);
    let (jobs, threads) = pool::shares(options.jobs, options.threads, runs.len());
    let options = &AuditOptions { threads: Some(threads), ..options.clone() };
    let done = pool::side_by_side(runs, jobs, |index, run| {
        let data = data[index].as_deref().map_err(Clone::clone);
        let audit = audit_run(run, &names[index], &candidates, data, options);
        done(&run.record.id);
        audit
    });
    let mut audits = Vec::new();
    let mut unsaved = Vec::new();
    for (run, audit) in runs.iter().zip(done) {
        let id = || run.record.id.clone();
        let audit = audit.unwrap_or_else(|message| Err(Error::Internal { id: id(), message }))?;
        if options.save {
            unsaved.extend(save(&audit, run).err());
        }
        audits.push(audit);
    }
    let set = |Alike { runs, differs }: Alike| {
        let members = runs.iter().map(|&index| audits[index].clone()).collect();
        Sweep { differs, set: protocol::set(members) }
    };
    Ok(Audited { sweeps: alike.into_iter().map(set).collect(), unsaved })
}

/// What is decided anew at every reading is no reason to write a file again. A measured audit is not overwritten by one from the log, and a file that cannot be read is not overwritten either. An audit
/// with the same content is not written again.
fn save(audit: &Audit, run: &Run) -> Result<(), record::Error> {
    let is_measured = |audit: &Audit| matches!(audit.subject, Subject::Run { checkpoint: Some(_), .. });
    match protocol::kept_audit(run) {
        Ok(Some(old)) if says_the_same(&old, audit) => Ok(()),
        Ok(Some(old)) if is_measured(&old) && !is_measured(audit) => Ok(()),
        Err(error) if !is_measured(audit) => Err(error),
        _ => audit.write(&run.path),
    }
}

/// The duration of an audit does not count as content, nor does the name that distinguishes the run from its neighbours. A file
/// without modifiers is not rewritten just to add them.
fn says_the_same(old: &Audit, new: &Audit) -> bool {
    let mut old = Audit { seconds: new.seconds, ..old.clone() };
    if let Subject::Run { group, modifiers, .. } = &mut old.subject
        && let Subject::Run { group: named, modifiers: stated, .. } = &new.subject
    {
        group.clone_from(named);
        if modifiers.is_none() {
            modifiers.clone_from(stated);
        }
    }
    old == *new
}

/// The runs and their neighbours in the same folders, any of which may be a baseline. Unreadable directories are skipped.
fn with_neighbours(runs: &[Run]) -> Vec<Run> {
    let mut all = runs.to_vec();
    let mut folders: Vec<&Path> = runs.iter().filter_map(|run| run.path.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    for path in folders.into_iter().filter_map(|folder| find_runs(folder).ok()).flatten() {
        if let Ok(run) = Run::read(&path)
            && !all.iter().any(|known| known.path == run.path)
        {
            all.push(run);
        }
    }
    all
}

/// The data of each run, each data set loaded once; or why they are not available.
fn load(runs: &[Run], options: &AuditOptions) -> Vec<Result<Arc<Dataset>, String>> {
    let mut data_sets = DataSets::new(options.folder.clone());
    let mut of = |run: &Run| -> Result<Arc<Dataset>, String> {
        let source = super::subject::spec(run).map_err(|e| e.to_string())?.0.source;
        let data = data_sets.load(&source).map_err(|e| e.to_string())?;
        if data.hash != run.record.provenance.data_hash {
            return Err("the data have changed since it was trained".to_owned());
        }
        Ok(data)
    };
    // The data of a run that was trained elsewhere are not here either.
    let reads = options.measure && !options.log_only;
    let unread = |run: &Run| !reads || run.record.provenance.elsewhere.is_some();
    runs.iter().map(|run| if unread(run) { Err("not read".to_owned()) } else { of(run) }).collect()
}
