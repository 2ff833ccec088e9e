//! All figures of the paper's results: ours in one process, the paper's scripts one after another.

use crate::arguments::from_root;
use crate::bench::{Bench, in_words};
use crate::process::run;
use crate::turns::{Reading, Taken, Turn, row, take_turns};
use creditscope_benches::section::Section;
use std::path::{Path, PathBuf};
use std::process::Command;

const TITLE: &str = "All figures of the paper's results";
const THEIRS: &str = "matplotlib, the paper's scripts";
/// Folders that the scripts expect.
const FOLDERS: [&str; 2] = ["paper/figures", "results/protocol_audit"];

/// Seconds from start to end, pictures written, and memory.
pub(crate) fn measure(bench: &Bench) -> Vec<Section> {
    let found = folder("CREDITSCOPE_SEEDS", "the paper's scripts", "").and_then(|seeds| {
        Ok((scripts(&seeds)?, folder("CREDITSCOPE_PAPER_TREE", "a folder with `results`", "results")?))
    });
    let (scripts, tree) = match found {
        Ok(found) => found,
        Err(why) => return vec![Section::skipped("figures", TITLE, &why)],
    };
    let rounds = bench.rounds(3, 1);
    let taken = take_turns(
        "figures",
        rounds,
        vec![Turn::new("ours", || ours(bench, &tree)), Turn::new(THEIRS, || theirs(bench, &scripts, &tree))],
    );
    let sides = [("ours", Taken::of(&taken, "ours")), (THEIRS, Taken::of(&taken, THEIRS))];
    let rows = vec![row("seconds", &sides, 0), row("memory, MB", &sides, 2)];
    let pictures =
        sides.map(|(_, taken)| taken.best(1).map_or_else(|| "?".to_owned(), |count| count.to_string()));
    let notes = vec![format!(
        "{}. Pictures written: {} by ours (PDF, PNG and SVG of each figure), {} by {} scripts, one process each.",
        in_words(rounds),
        pictures[0],
        pictures[1],
        scripts.len()
    )];
    vec![Section { name: "figures", title: TITLE.to_owned(), unit: "s, MB", rows, notes }]
}

/// The folder that a variable names, if it contains the folder `holds`.
fn folder(variable: &str, what: &str, holds: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os(variable).filter(|path| !path.is_empty()).map(from_root);
    let path = path.ok_or(format!("{variable} is not set; it names {what}"))?;
    if path.join(holds).is_dir() {
        Ok(path)
    } else {
        Err(format!("{variable}={} is not {what}", path.display()))
    }
}

fn scripts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut scripts: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "py")).collect();
    scripts.sort();
    if scripts.is_empty() { Err(format!("no script in {}", folder.display())) } else { Ok(scripts) }
}

fn ours(bench: &Bench, tree: &Path) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = bench.ours(&["figure", "all", "--quiet"]);
    command.arg("--from").arg(tree).arg("--out").arg(folder.path());
    let ended = run(command)?;
    Ok(vec![ended.seconds, pictures(folder.path()), ended.memory])
}

/// The scripts write next to their input, so they get a copy of it.
fn theirs(bench: &Bench, scripts: &[PathBuf], tree: &Path) -> Reading {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let root = folder.path();
    copy(&tree.join("results"), &root.join("results")).map_err(|error| error.to_string())?;
    for folder in FOLDERS {
        std::fs::create_dir_all(root.join(folder)).map_err(|error| error.to_string())?;
    }
    let before = pictures(root);
    let mut seconds = 0.0;
    let mut memory = 0.0f64;
    for script in scripts {
        let mut command = Command::new(&bench.python);
        command.arg(script).current_dir(root).env("REPO_ROOT", root).env("MPLBACKEND", "Agg");
        let ended = run(command)?;
        seconds += ended.seconds;
        memory = memory.max(ended.memory);
    }
    Ok(vec![seconds, pictures(root) - before, memory])
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        let from = entry.path();
        let to = to.join(entry.file_name());
        if from.is_dir() { copy(&from, &to)? } else { std::fs::copy(&from, &to).map(drop)? }
    }
    Ok(())
}

/// Number of pictures in a folder and its subfolders.
fn pictures(folder: &Path) -> f64 {
    let is_picture =
        |path: &Path| path.extension().is_some_and(|end| ["pdf", "png", "svg"].iter().any(|e| end == *e));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .map(|path| if path.is_dir() { pictures(&path) } else { f64::from(u8::from(is_picture(&path))) })
        .sum()
}
