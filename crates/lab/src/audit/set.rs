//! Audits of many runs, one a core, and what they show side by side.

use super::AuditOptions;
use super::whole::audit_run;
use crate::Error;
use crate::clock::cores;
use audit::{difference, frozen_accuracy, is_frozen};
use data::Dataset;
use record::audit::{Audit, AuditSet};
use record::{Run, find_runs};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What came of it.
#[derive(Debug)]
pub struct Audited {
    /// The audits.
    pub set: AuditSet,
    /// Run directories whose audit could not be written, each with the reason.
    pub unsaved: Vec<String>,
}

/// Audits runs and writes `audit.json` into each directory. Baselines are looked for among the runs and beside each of them.
/// `done` hears of each run that is judged.
///
/// Runs that were not trained under equal conditions are refused unless the options allow them.
pub fn audit_runs(
    runs: &[Run],
    options: &AuditOptions,
    done: &(dyn Fn(&str) + Sync),
) -> Result<Audited, Error> {
    let mut runs = runs.to_vec();
    runs.sort_by_cached_key(place);
    let runs = runs.as_slice();
    if !options.mixed {
        comparable(runs)?;
    }
    let candidates = with_neighbours(runs);
    let data = load(runs, options);
    let jobs = options.jobs.unwrap_or_else(cores).clamp(1, runs.len().max(1));
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<Result<Audit, Error>>>> = runs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some((index, run)) = take(&next, runs) {
                    let frozen = if is_frozen(run) { None } else { frozen_accuracy(run, &candidates) };
                    let data = data[index].as_deref().map_err(Clone::clone);
                    let audit = audit_run(run, frozen, data, options);
                    done(&run.record.id);
                    *slots[index].lock().expect("no thread panics while it holds this") = Some(audit);
                }
            });
        }
    });
    let (mut audits, mut unsaved) = (Vec::new(), Vec::new());
    for (run, slot) in runs.iter().zip(slots) {
        let audit = slot.into_inner().ok().flatten().ok_or_else(|| Error::Internal {
            id: run.record.id.clone(),
            message: "its audit ended without a word".to_owned(),
        })??;
        if let Err(error) = audit.write(&run.path) {
            unsaved.push(error.to_string());
        }
        audits.push(audit);
    }
    Ok(Audited { set: audit::set(audits), unsaved })
}

/// Where a run stands in tables: by rule as rules are listed, then by name and seed.
fn place(run: &Run) -> (usize, bool, String) {
    let rule = rules::NAMES.iter().position(|name| *name == run.record.rule).unwrap_or(usize::MAX);
    (rule, is_frozen(run), run.record.id.clone())
}

fn take<'a>(next: &AtomicUsize, runs: &'a [Run]) -> Option<(usize, &'a Run)> {
    let index = next.fetch_add(1, Ordering::SeqCst);
    Some((index, runs.get(index)?))
}

/// Refuses runs that differ in more than rule and seed: their numbers do not belong side by side.
fn comparable(runs: &[Run]) -> Result<(), Error> {
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    for other in others {
        let free = |key: &str| key == "seed" || key == "name" || key.starts_with("rule.");
        if let Some((key, a, b)) = difference(first, other, free) {
            return Err(Error::Mixed {
                key,
                a: (first.record.id.clone(), a),
                b: (other.record.id.clone(), b),
            });
        }
        if first.record.provenance.data_hash != other.record.provenance.data_hash {
            let hash = |run: &Run| (run.record.id.clone(), run.record.provenance.data_hash[..12].to_owned());
            return Err(Error::Mixed { key: "data hash".to_owned(), a: hash(first), b: hash(other) });
        }
    }
    Ok(())
}

/// The runs, and those in the folders around them, among which a baseline may be. What cannot be read there is nobody's
/// baseline.
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

/// The data of each run, loaded once each; or why they are not at hand.
fn load(runs: &[Run], options: &AuditOptions) -> Vec<Result<Arc<Dataset>, String>> {
    let mut loaded: Vec<(data::Source, Result<Arc<Dataset>, String>)> = Vec::new();
    let mut of = |run: &Run| -> Result<Arc<Dataset>, String> {
        let source = super::subject::spec(run).map_err(|e| e.to_string())?.0.source;
        let known = loaded.iter().find(|(known, _)| *known == source).map(|(_, data)| data.clone());
        let data = known.unwrap_or_else(|| {
            let data = data::load(&source, &options.folder).map(Arc::new).map_err(|e| e.to_string());
            loaded.push((source, data.clone()));
            data
        })?;
        if data.hash != run.record.provenance.data_hash {
            return Err("the data have changed since it was trained".to_owned());
        }
        Ok(data)
    };
    runs.iter().map(|run| if options.log_only { Err("as asked".to_owned()) } else { of(run) }).collect()
}
