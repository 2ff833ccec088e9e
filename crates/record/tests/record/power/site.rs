//! The places in the program that wait for the disk, all of them. A mutant leaves one of them out.

use super::history::Op;
use record::Run;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// `durable::write`: the content, before the file gets its name.
    Content,
    /// `durable::write`: the name.
    Name,
    /// `durable::create_folder`: the name of a folder.
    Folder,
    /// `durable::put`: the name of a finished file or folder.
    Put,
    /// `Log::open`: the lines to keep, before the file gets its name.
    LogContent,
    /// `Log::open`: the name of the log.
    LogName,
    /// The lines of the log, before the checkpoint that counts them.
    LogBeforeCheckpoint,
    /// The lines of the log, before the record that speaks of them.
    LogBeforeRecord,
    /// The names in the folder of a run that is over already.
    Over,
}

impl Site {
    /// The site of a change, told by its neighbours; none where it waits for nothing.
    pub(crate) fn of(ops: &[Op], at: usize) -> Option<Self> {
        let before = |n: usize| ops.get(at.checked_sub(n)?);
        let is_partial = |path: &Path, of: &str| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!(".{of}")))
        };
        // The folder holds the record of a run.
        let is_run = |folder: &Path| {
            let record = folder.join(Run::RECORD);
            ops[..at].iter().any(|op| matches!(op, Op::Rename(_, to) if *to == record))
        };
        match &ops[at] {
            Op::Sync(path) if path.ends_with(Run::METRICS) => match ops.get(at + 1) {
                Some(Op::CreateNew(next)) if is_partial(next, Run::CHECKPOINT) => {
                    Some(Self::LogBeforeCheckpoint)
                }
                // At the end of a history nothing follows.
                _ => Some(Self::LogBeforeRecord),
            },
            Op::Sync(path) if is_partial(path, Run::METRICS) => Some(Self::LogContent),
            Op::Sync(_) => Some(Self::Content),
            Op::SyncFolder(folder) => Some(match before(1) {
                Some(Op::Rename(from, to)) if to.parent() == Some(folder) => {
                    let written = before(2) == Some(&Op::Sync(from.clone()));
                    match (written, to.ends_with(Run::METRICS)) {
                        (true, true) => Self::LogName,
                        (true, false) => Self::Name,
                        (false, _) => Self::Put,
                    }
                }
                // What makes folders syncs the folder that the new one is in, which is no run.
                _ if is_run(folder) => Self::Over,
                _ => Self::Folder,
            }),
            _ => None,
        }
    }

    /// Whether a change is left out where this site does not wait.
    pub(crate) fn leaves_out(site: Option<Self>) -> impl Fn(&[Op], usize) -> bool {
        move |ops, at| site.is_some() && Self::of(ops, at) == site
    }
}
