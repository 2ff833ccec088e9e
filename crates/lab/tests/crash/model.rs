//! A disk that loses power: what a folder may hold after a crash.
//!
//! Nothing is assumed but what POSIX promises. The content of a file is safe once the file was synced, its name once the
//! folder was; neither implies the other. Until then each change may have reached the disk or not, names in any
//! combination, and a file may end early, in the middle of a write, or in zeros.

use crate::history::Op;
use crate::site::Site;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a folder holds: files with their content, and folders.
pub(crate) type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Subsets of so many names are tried one by one; of more, those that keep or lose one or all.
const EVERY_SUBSET: usize = 5;

#[derive(Clone, Copy, Debug)]
enum Node {
    Folder,
    File(usize),
}

#[derive(Default)]
struct Content {
    ops: Vec<Op>,
    /// How many of them are safe.
    synced: usize,
}

/// A change of names in a folder.
struct Naming {
    folder: PathBuf,
    names: Vec<(PathBuf, Option<Node>)>,
    synced: bool,
}

/// What becomes of content that was not synced.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unsynced {
    Kept,
    Lost,
    /// The last write is cut in the middle; earlier ones are lost, too.
    Torn,
    /// The length reached the disk, the bytes did not.
    Zeros,
}

#[derive(Default)]
struct Disk {
    live: BTreeMap<PathBuf, Node>,
    files: Vec<Content>,
    namings: Vec<Naming>,
    last_write: Option<usize>,
}

impl Disk {
    fn after(ops: &[Op], without: Option<Site>) -> Self {
        let mut disk = Self::default();
        for (at, op) in ops.iter().enumerate() {
            if without.is_none() || Site::of(ops, at) != without {
                disk.apply(op);
            }
        }
        disk
    }

    fn file(&self, path: &Path) -> usize {
        match self.live.get(path) {
            Some(Node::File(file)) => *file,
            other => panic!("{} is {other:?}", path.display()),
        }
    }

    fn name(&mut self, names: Vec<(PathBuf, Option<Node>)>) {
        for (path, node) in &names {
            match node {
                Some(node) => self.live.insert(path.clone(), *node),
                None => self.live.remove(path),
            };
        }
        let folder = names[0].0.parent().expect("nothing happens to the root").to_owned();
        self.namings.push(Naming { folder, names, synced: false });
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::CreateNew(path) => {
                self.files.push(Content::default());
                self.name(vec![(path.clone(), Some(Node::File(self.files.len() - 1)))]);
            }
            Op::Append(path, _) => {
                let file = self.file(path);
                self.files[file].ops.push(op.clone());
                self.last_write = Some(file);
            }
            Op::Sync(path) => {
                let file = self.file(path);
                self.files[file].synced = self.files[file].ops.len();
            }
            Op::Rename(from, to) => {
                assert_eq!(from.parent(), to.parent(), "a rename stays in its folder");
                self.name(vec![(from.clone(), None), (to.clone(), Some(Node::File(self.file(from))))]);
            }
            Op::SyncFolder(folder) => {
                let own = self.namings.iter_mut().filter(|naming| naming.folder == *folder);
                own.for_each(|naming| naming.synced = true);
            }
            Op::Remove(path) => self.name(vec![(path.clone(), None)]),
            Op::CreateFolder(path) => self.name(vec![(path.clone(), Some(Node::Folder))]),
        }
    }

    fn content(&self, file: usize, unsynced: Unsynced) -> Vec<u8> {
        let Content { ops, synced } = &self.files[file];
        let mut content = Vec::new();
        let write = |op: &Op, content: &mut Vec<u8>| match op {
            Op::Append(_, bytes) => content.extend(bytes),
            other => panic!("{other:?} is not content"),
        };
        ops[..*synced].iter().for_each(|op| write(op, &mut content));
        let rest = &ops[*synced..];
        match unsynced {
            Unsynced::Lost => {}
            Unsynced::Kept => rest.iter().for_each(|op| write(op, &mut content)),
            Unsynced::Torn => {
                if let (true, Some(Op::Append(_, bytes))) = (self.last_write == Some(file), rest.last()) {
                    content.extend(&bytes[..bytes.len() / 2]);
                }
            }
            Unsynced::Zeros => {
                let safe = content.len();
                rest.iter().for_each(|op| write(op, &mut content));
                content.iter_mut().skip(safe).for_each(|byte| *byte = 0);
            }
        }
        content
    }

    /// The tree with the names that are safe and those of `kept` that are not.
    fn tree(&self, kept: &BTreeSet<usize>, unsynced: Unsynced) -> Tree {
        let mut names = BTreeMap::new();
        for (at, naming) in self.namings.iter().enumerate() {
            if naming.synced || kept.contains(&at) {
                for (path, node) in &naming.names {
                    match node {
                        Some(node) => names.insert(path, node),
                        None => names.remove(path),
                    };
                }
            }
        }
        let mut tree = Tree::new();
        for (path, node) in names {
            // What is in a folder that was lost is lost.
            let folder = path.parent().expect("below the root");
            if folder == Path::new("") || tree.get(folder) == Some(&None) {
                let content = match node {
                    Node::Folder => None,
                    Node::File(file) => Some(self.content(*file, unsynced)),
                };
                tree.insert(path.clone(), content);
            }
        }
        tree
    }
}

/// Everything that a crash after these changes may leave, each once.
pub(crate) fn crashes(ops: &[Op], without: Option<Site>) -> BTreeSet<Tree> {
    let disk = Disk::after(ops, without);
    let open: Vec<usize> = (0..disk.namings.len()).filter(|&at| !disk.namings[at].synced).collect();
    let mut kept: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    if open.len() <= EVERY_SUBSET {
        for bits in 0..1_usize << open.len() {
            kept.insert(
                open.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &at)| at).collect(),
            );
        }
    } else {
        kept.insert(BTreeSet::new());
        kept.insert(open.iter().copied().collect());
        for one in &open {
            kept.insert(BTreeSet::from([*one]));
            kept.insert(open.iter().copied().filter(|at| at != one).collect());
        }
    }
    let mut trees = BTreeSet::new();
    for unsynced in [Unsynced::Kept, Unsynced::Lost, Unsynced::Torn, Unsynced::Zeros] {
        trees.extend(kept.iter().map(|kept| disk.tree(kept, unsynced)));
    }
    trees
}

/// What a kill leaves: everything, since the system lives on.
pub(crate) fn killed(ops: &[Op]) -> Tree {
    let disk = Disk::after(ops, None);
    disk.tree(&(0..disk.namings.len()).collect(), Unsynced::Kept)
}
