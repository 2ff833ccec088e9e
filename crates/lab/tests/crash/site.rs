//! The places in the program that wait for the disk. A mutant leaves one of them out.

use crate::history::Op;
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
    /// `Log::open`: the name of the log.
    LogName,
    /// `run_all`: the names in the folder of a run that is over already.
    Over,
    /// The lines of the log, before the checkpoint that counts them.
    LogBeforeCheckpoint,
    /// The lines of the log, before the record that speaks of them.
    LogBeforeRecord,
}

impl Site {
    pub(crate) const ALL: [Self; 7] = [
        Self::Content,
        Self::Name,
        Self::Folder,
        Self::LogName,
        Self::Over,
        Self::LogBeforeCheckpoint,
        Self::LogBeforeRecord,
    ];

    /// The site of a change, told by its neighbours; none where it waits for nothing.
    pub(crate) fn of(ops: &[Op], at: usize) -> Option<Self> {
        let before = at.checked_sub(1).and_then(|before| ops.get(before));
        let is_partial = |path: &Path, of: &str| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!(".{of}")))
        };
        let is_run = |path: &Path| path.components().count() == 3;
        match &ops[at] {
            Op::Sync(path) if path.ends_with(Run::METRICS) => match ops.get(at + 1) {
                Some(Op::CreateNew(next)) if is_partial(next, Run::CHECKPOINT) => {
                    Some(Self::LogBeforeCheckpoint)
                }
                // At the end of a history nothing follows.
                _ => Some(Self::LogBeforeRecord),
            },
            Op::Sync(_) => Some(Self::Content),
            Op::SyncFolder(folder) => Some(match before {
                Some(Op::Rename(_, to)) if to.ends_with(Run::METRICS) => Self::LogName,
                Some(Op::Rename(..)) => Self::Name,
                // What makes folders syncs the folder that the new one is in.
                _ if is_run(folder) => Self::Over,
                _ => Self::Folder,
            }),
            _ => None,
        }
    }
}
