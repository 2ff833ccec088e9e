//! What a program did to a folder: every change that it made, in order, with its paths from that folder on.

use record::durable::disk::{Change, Disk, Fault, mount};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A change, owned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    CreateNew(PathBuf),
    Append(PathBuf, Vec<u8>),
    Sync(PathBuf),
    Rename(PathBuf, PathBuf),
    SyncFolder(PathBuf),
    Remove(PathBuf),
    CreateFolder(PathBuf),
}

impl Op {
    fn of(change: Change<'_>, root: &Path) -> Self {
        let below = |path: &Path| path.strip_prefix(root).expect("the disk is mounted there").to_owned();
        match change {
            Change::CreateNew { path } => Self::CreateNew(below(path)),
            Change::Append { path, bytes } => Self::Append(below(path), bytes.to_vec()),
            Change::Sync { path } => Self::Sync(below(path)),
            Change::Rename { from, to } => Self::Rename(below(from), below(to)),
            Change::SyncFolder { path } => Self::SyncFolder(below(path)),
            Change::Remove { path } => Self::Remove(below(path)),
            Change::CreateFolder { path } => Self::CreateFolder(below(path)),
        }
    }
}

/// Changes, and what the program had promised the world after so many of them, which a crash afterwards must not make untrue.
#[derive(Clone, Debug)]
pub(crate) struct History<P> {
    pub(crate) ops: Vec<Op>,
    pub(crate) promises: Vec<(usize, P)>,
}

impl<P> Default for History<P> {
    fn default() -> Self {
        Self { ops: Vec::new(), promises: Vec::new() }
    }
}

impl<P: Clone> History<P> {
    /// What had been promised when so many changes were made.
    pub(crate) fn promised(&self, ops: usize) -> Vec<&P> {
        self.promises.iter().filter(|(at, _)| *at <= ops).map(|(_, promise)| promise).collect()
    }

    /// Its first changes, then another history.
    pub(crate) fn then(&self, ops: usize, next: Self) -> Self {
        let mut whole = Self { ops: self.ops[..ops].to_vec(), promises: self.promises.clone() };
        whole.promises.retain(|(at, _)| *at <= ops);
        whole.promises.extend(next.promises.into_iter().map(|(at, promise)| (at + ops, promise)));
        whole.ops.extend(next.ops);
        whole
    }
}

/// Fails a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planted {
    /// Which, from 0.
    pub(crate) at: usize,
    /// The number of the system's error.
    pub(crate) error: i32,
    /// Whether every later write fails as well, as on a disk that stays full.
    pub(crate) lasts: bool,
}

/// A disk that writes a history, and may have a fault.
pub(crate) struct Recorder<P> {
    root: PathBuf,
    history: Mutex<History<P>>,
    fault: Option<Planted>,
    unseen: fn(&Path) -> bool,
}

impl<P> Recorder<P> {
    pub(crate) fn promise(&self, promise: P) {
        let mut history = self.history.lock().expect("nobody panics with it");
        let at = history.ops.len();
        history.promises.push((at, promise));
    }
}

impl<P: Send> Disk for Recorder<P> {
    fn change(&self, change: Change<'_>) -> Result<(), Fault> {
        if (self.unseen)(change.path()) {
            return Ok(());
        }
        let mut history = self.history.lock().expect("nobody panics with it");
        let at = history.ops.len();
        history.ops.push(Op::of(change, &self.root));
        let fails = |fault: &Planted| {
            let writes = !matches!(change, Change::Remove { .. });
            fault.at == at || (fault.lasts && at > fault.at && writes)
        };
        match self.fault.filter(fails) {
            None => Ok(()),
            Some(fault) => {
                let written = if let Change::Append { bytes, .. } = change { bytes.len() / 2 } else { 0 };
                Err(Fault { error: std::io::Error::from_raw_os_error(fault.error), written })
            }
        }
    }
}

/// Records what `work` does below a folder.
pub(crate) fn record<P: Clone + Send + 'static, R>(
    root: &Path,
    fault: Option<Planted>,
    work: impl FnOnce(&Arc<Recorder<P>>) -> R,
) -> (History<P>, R) {
    record_but(root, |_| false, fault, work)
}

/// The same without changes at some paths.
pub(crate) fn record_but<P: Clone + Send + 'static, R>(
    root: &Path,
    unseen: fn(&Path) -> bool,
    fault: Option<Planted>,
    work: impl FnOnce(&Arc<Recorder<P>>) -> R,
) -> (History<P>, R) {
    let recorder = Arc::new(Recorder { root: root.to_owned(), history: Mutex::default(), fault, unseen });
    let mounted = mount(root, recorder.clone());
    let result = work(&recorder);
    drop(mounted);
    let history = recorder.history.lock().expect("nobody panics with it").clone();
    (history, result)
}
