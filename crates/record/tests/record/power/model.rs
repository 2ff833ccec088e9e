//! A disk that loses power: what a folder may hold after a crash.
//!
//! Nothing is assumed but what POSIX promises. The content of a file is safe once the file was synced, its name once the
//! folder was; neither implies the other. Until then each change may have reached the disk or not, names in any
//! combination, and a file may end early, in the middle of a write, or in zeros.

use super::history::Op;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a folder holds: files with their content, and folders.
pub(crate) type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// Subsets of so many names are tried one by one; of more, those that keep or lose one or all.
const EVERY_SUBSET: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    Folder(usize),
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
    folder: usize,
    names: Vec<(OsString, Option<Node>)>,
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

struct Disk {
    /// What every path leads to, as the program sees it.
    live: BTreeMap<PathBuf, Node>,
    folders: usize,
    files: Vec<Content>,
    namings: Vec<Naming>,
    last_write: Option<usize>,
}

impl Disk {
    fn after(ops: &[Op], leaves_out: &dyn Fn(&[Op], usize) -> bool) -> Self {
        let live = BTreeMap::from([(PathBuf::new(), Node::Folder(0))]);
        let mut disk = Self { live, folders: 1, files: Vec::new(), namings: Vec::new(), last_write: None };
        for (at, op) in ops.iter().enumerate() {
            if !leaves_out(ops, at) {
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

    fn folder(&self, path: &Path) -> usize {
        match self.live.get(path) {
            Some(Node::Folder(folder)) => *folder,
            other => panic!("{} is {other:?}", path.display()),
        }
    }

    /// Changes names, together where they are in one folder.
    fn name(&mut self, names: &[(&Path, Option<Node>)]) {
        let mut namings: Vec<Naming> = Vec::new();
        for (path, node) in names {
            let folder = self.folder(path.parent().expect("nothing happens to the root"));
            let name = (path.file_name().expect("a name").to_owned(), *node);
            match namings.iter_mut().find(|naming| naming.folder == folder) {
                Some(naming) => naming.names.push(name),
                None => namings.push(Naming { folder, names: vec![name], synced: false }),
            }
        }
        self.namings.extend(namings);
    }

    fn create(&mut self, path: &Path, node: Node) {
        self.live.insert(path.to_owned(), node);
        self.name(&[(path, Some(node))]);
    }

    /// Takes a path and those below it out of what the program sees.
    fn take(&mut self, path: &Path) -> Vec<(PathBuf, Node)> {
        let paths: Vec<PathBuf> = self.live.keys().filter(|other| other.starts_with(path)).cloned().collect();
        paths.into_iter().filter_map(|path| self.live.remove_entry(&path)).collect()
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::CreateNew(path) => {
                self.files.push(Content::default());
                self.create(path, Node::File(self.files.len() - 1));
            }
            Op::CreateFolder(path) => {
                self.folders += 1;
                self.create(path, Node::Folder(self.folders - 1));
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
                let node = *self.live.get(from).expect("it is there");
                self.name(&[(from, None), (to, Some(node))]);
                for (path, node) in self.take(from) {
                    let below = path.strip_prefix(from).expect("below");
                    let path = if below == Path::new("") { to.clone() } else { to.join(below) };
                    self.live.insert(path, node);
                }
            }
            Op::SyncFolder(path) => {
                let folder = self.folder(path);
                let own = self.namings.iter_mut().filter(|naming| naming.folder == folder);
                own.for_each(|naming| naming.synced = true);
            }
            Op::Remove(path) => {
                self.name(&[(path, None)]);
                self.take(path);
            }
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
        let mut folders: Vec<BTreeMap<&OsString, Node>> = vec![BTreeMap::new(); self.folders];
        for (at, naming) in self.namings.iter().enumerate() {
            if naming.synced || kept.contains(&at) {
                for (name, node) in &naming.names {
                    match node {
                        Some(node) => folders[naming.folder].insert(name, *node),
                        None => folders[naming.folder].remove(name),
                    };
                }
            }
        }
        // What is in a folder that was lost is lost.
        let mut tree = Tree::new();
        let mut open = vec![(PathBuf::new(), 0)];
        while let Some((path, folder)) = open.pop() {
            for (name, node) in &folders[folder] {
                let path = path.join(name);
                let content = match *node {
                    Node::File(file) => Some(self.content(file, unsynced)),
                    Node::Folder(folder) => {
                        open.push((path.clone(), folder));
                        None
                    }
                };
                tree.insert(path, content);
            }
        }
        tree
    }
}

/// Everything that a crash after these changes may leave, each once. `leaves_out` says which changes a mutant does not make.
pub(crate) fn crashes(ops: &[Op], leaves_out: &dyn Fn(&[Op], usize) -> bool) -> BTreeSet<Tree> {
    let disk = Disk::after(ops, leaves_out);
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
    let disk = Disk::after(ops, &|_, _| false);
    disk.tree(&(0..disk.namings.len()).collect(), Unsynced::Kept)
}
