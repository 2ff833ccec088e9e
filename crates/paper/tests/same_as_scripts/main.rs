//! Our tables hold what the paper's scripts plot of the same files, number by number.
//!
//! Wants `CREDITSCOPE_SEEDS`, the folder with the scripts, and `CREDITSCOPE_PYTHON`, a Python with matplotlib; for the
//! paper's own tree also `CREDITSCOPE_PAPER_TREE`, the folder that holds `results`.

mod cifar;
mod norms;
mod plotted;
mod table;
mod tree;

use std::path::{Path, PathBuf};

/// Holds every figure of a script that reads files against ours.
fn hold_against(tree: &Path) {
    norms::crossarch(tree);
    norms::penalty(tree);
    norms::sweep(tree);
    cifar::all(tree);
}

#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn on_files_made_at_random() {
    for seed in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        tree::write(folder.path(), seed);
        hold_against(folder.path());
    }
}

#[test]
#[cfg_attr(
    not(with_paper_tree),
    ignore = "set CREDITSCOPE_PAPER_TREE to a folder with the paper's results, CREDITSCOPE_SEEDS and CREDITSCOPE_PYTHON"
)]
fn on_the_papers_tree() {
    let tree = std::env::var_os("CREDITSCOPE_PAPER_TREE").map(PathBuf::from);
    hold_against(&tree.expect("it was there at build time"));
}

#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn typed_numbers_are_the_published_ones() {
    norms::hero();
}
