//! Folders in which programs run, and what is in them.

use super::model::Tree;
use std::path::Path;

/// Memory, where there is such a folder, since a campaign syncs thousands of times.
pub(crate) fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// What is below a folder.
pub(crate) fn tree(root: &Path) -> Tree {
    fn walk(root: &Path, folder: &Path, tree: &mut Tree) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let below = path.strip_prefix(root).expect("below").to_owned();
            if path.is_dir() {
                tree.insert(below, None);
                walk(root, &path, tree);
            } else {
                tree.insert(below, Some(std::fs::read(&path).expect("a file")));
            }
        }
    }
    let mut found = Tree::new();
    walk(root, root, &mut found);
    found
}

/// Puts what a crash left into a folder. Names of files that were being written tell of a process that is gone: the one that
/// restarts is another.
pub(crate) fn lay_out(tree: &Tree, root: &Path) {
    let (own, gone) = (format!(".{}.", std::process::id()), format!(".{}.", u32::MAX));
    for (below, content) in tree {
        let path = root.join(below.to_string_lossy().replace(&own, &gone));
        match content {
            None => std::fs::create_dir(path).expect("its parent comes first"),
            Some(content) => std::fs::write(path, content).expect("a file"),
        }
    }
}
