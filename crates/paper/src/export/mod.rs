//! From run directories to the paper's tree of files, so that its scripts run unchanged on our runs.

mod choose;
mod contribution;
mod diagnostics;
mod facts;
mod manifest;
mod needs;
mod python;
mod report;
mod scripts;
mod slot;
mod tree;

pub use manifest::{Manifest, Origin};
pub use report::{Gap, Missing, Report, ScriptNeeds};

use choose::{Candidate, choose};
use facts::Facts;
use record::{Error, Run};
use slot::slots;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tree::Tree;

/// Folders that the scripts write their pictures to and do not create.
const FOLDERS: [&str; 3] = ["results", "paper/figures", "results/protocol_audit"];

/// Writes the paper's files from `runs` into `out`, as the paper lays them out, and reports what came of it.
///
/// The resolved recipe (rule, penalty, data, network, seed) decides where a run goes. A file that no export wrote is
/// never overwritten.
pub fn export(runs: &[Run], out: &Path) -> Result<Report, Error> {
    let labels = labels(runs);
    let mut report = Report::default();
    let mut candidates = Vec::new();
    for (run, label) in runs.iter().zip(&labels) {
        match Facts::of(run).and_then(|facts| Ok((slots(&facts)?, facts))) {
            Err(why) => report.left_out.push((label.clone(), why)),
            Ok((slots, facts)) => {
                for slot in slots {
                    match (slot.contribute)(run, &facts) {
                        Ok(contribution) => {
                            let shape = facts.shape;
                            candidates.push(Candidate { run, label, shape, slot, contribution });
                        }
                        Err(why) => {
                            report.left_out.push((label.clone(), format!("not in {}: {why}", slot.file)));
                        }
                    }
                }
            }
        }
    }
    let (chosen, left_out) = choose(candidates);
    report.left_out.extend(left_out);
    report.left_out.sort();
    let notes = |c: &Candidate<'_>| -> Vec<_> {
        c.contribution.notes.iter().map(|note| (c.label.to_owned(), note.clone())).collect()
    };
    report.notes = chosen.iter().flat_map(notes).collect::<BTreeSet<_>>().into_iter().collect();

    let mut tree = Tree::build(chosen);
    if tree.paths().next().is_none() {
        report.missing = needs::check(out, &tree.gaps, &BTreeSet::new());
        return Ok(report);
    }
    let mut manifest = Manifest::read(out)?;
    manifest.check(out, tree.paths())?;
    for folder in FOLDERS.map(|folder| out.join(folder)) {
        record::durable::create_folders(&folder)?;
    }
    // Before the files, so that the next export recognises them even if this one is killed.
    manifest.files.append(&mut tree.origins);
    manifest.write(out)?;
    tree.write(out)?;

    report.missing = needs::check(out, &tree.gaps, &tree.paths().collect());
    report.written = tree.paths().map(|file| out.join(file)).collect();
    report.gaps = tree.gaps;
    Ok(report)
}

/// A name for each run: its id, or its path where the id is not unique.
fn labels(runs: &[Run]) -> Vec<String> {
    let mut count = BTreeMap::new();
    for run in runs {
        *count.entry(&run.record.id).or_insert(0) += 1;
    }
    let label = |run: &Run| match count[&run.record.id] {
        1 => run.record.id.clone(),
        _ => run.path.display().to_string(),
    };
    runs.iter().map(label).collect()
}
