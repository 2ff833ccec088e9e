//! A sweep on a cluster, and what the tests ask of it.

use crate::cluster::Cluster;
use crate::common::{assert_same, text};
use crate::files;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

pub(crate) struct Sweep<'a> {
    pub(crate) cluster: &'a Cluster,
    program: PathBuf,
    recipe: PathBuf,
    pub(crate) runs: PathBuf,
}

/// Signs of life often enough that a dead worker is noticed in a few seconds.
const CARE: [&str; 4] = ["--heartbeat", "1", "--checkpoint-every", "0"];

/// A dozen variants and more; a run takes a second or so.
pub(crate) fn recipe(rules: &str, seeds: &str, epochs: u64) -> String {
    format!(
        "data.name = 'digits'\nnet.d = 24\nnet.blocks = 2\nrule.name = {rules}\nrule.frozen = [false, true]\n\
         optim.lr = [1e-3, 3e-4]\ntrain.batch = 8\ntrain.epochs = {epochs}\neval.samples = 32\naudit.every = 0\nseed = {seeds}\n"
    )
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(cluster: &'a Cluster, recipe: &str) -> Self {
        Self::below(cluster, recipe, &cluster.folder.path().join("runs"))
    }

    /// The same with its runs in another folder.
    pub(crate) fn below(cluster: &'a Cluster, recipe: &str, runs: &Path) -> Self {
        let path = cluster.folder.path().join("sweep.toml");
        std::fs::write(&path, recipe).expect("a recipe");
        let program = cluster.folder.path().join("creditscope");
        std::fs::copy(env!("CARGO_BIN_EXE_creditscope"), &program).expect("a copy of the program");
        Self { cluster, program, recipe: path, runs: runs.to_owned() }
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    fn call(&self, args: &[&str]) -> Output {
        self.cluster.creditscope(&self.program, args)
    }

    /// `creditscope sweep submit`, which returns at once.
    pub(crate) fn submit(&self, more: &[&str]) -> Output {
        let (recipe, runs) = (self.recipe.display().to_string(), self.runs.display().to_string());
        let args = ["sweep", "submit", &recipe, "--out", &runs];
        self.call(&[&args[..], &CARE, more].concat())
    }

    pub(crate) fn submitted(&self, more: &[&str]) -> String {
        succeeded(&self.submit(more))
    }

    pub(crate) fn resumed(&self, more: &[&str]) -> String {
        let runs = self.runs.display().to_string();
        let args = ["sweep", "resume", &runs];
        succeeded(&self.call(&[&args[..], &CARE, more].concat()))
    }

    /// The program with any words, in the cluster's folder.
    pub(crate) fn words(&self, args: &[&str]) -> Output {
        self.call(args)
    }

    pub(crate) fn sweep(&self, action: &str, more: &[&str]) -> Output {
        let runs = self.runs.display().to_string();
        self.call(&[&["sweep", action, &runs][..], more].concat())
    }

    /// The report, as JSON.
    pub(crate) fn status(&self) -> Value {
        let output = self.sweep("status", &["--json", "--patience", "20"]);
        let all_done = output.status.code() == Some(0);
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}{}", text(&output.stdout), text(&output.stderr)));
        assert_eq!(report["all_done"], all_done, "the exit code says the same");
        report
    }

    pub(crate) fn count(&self, state: &str) -> u64 {
        self.status()["counts"][state].as_u64().expect("a count")
    }

    pub(crate) fn wait_until_done(&self, runs: u64) {
        self.cluster.wait(&format!("{runs} runs are done"), |_| self.done() >= runs);
    }

    /// Runs that are done, by their records alone; cheaper than the whole report.
    pub(crate) fn done(&self) -> u64 {
        let state = |run: &Path| -> Option<bool> {
            let record: Value = serde_json::from_slice(&std::fs::read(run.join("run.json")).ok()?).ok()?;
            Some(record["status"]["state"] == "finished")
        };
        self.directories().iter().filter(|run| state(run) == Some(true)).count() as u64
    }

    /// The run directories.
    pub(crate) fn directories(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.runs).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut runs: Vec<PathBuf> = entries
            .filter(|path| path.is_dir() && path.file_name().is_some_and(|name| name != "sweep"))
            .collect();
        runs.sort();
        runs
    }

    /// All runs are done, none twice, with the bytes of a local run, and nothing else is there.
    pub(crate) fn check_complete(&self, runs: u64) {
        let report = self.status();
        assert_eq!(report["counts"]["done"], runs, "{report:#}");
        assert_eq!(report["all_done"], true);
        self.check_bytes();
        for run in self.directories() {
            let log = std::fs::read_to_string(run.join("metrics.jsonl")).expect("a log");
            let epochs: Vec<u64> = log
                .lines()
                .map(|line| {
                    serde_json::from_str::<Value>(line).expect("a line")["epoch"].as_u64().expect("an epoch")
                })
                .collect();
            assert!(epochs.iter().copied().eq(0..epochs.len() as u64), "{}: {epochs:?}", run.display());
        }
        self.check_files();
        let collected = succeeded(&self.sweep("collect", &["--csv", "-"]));
        let ids: BTreeSet<&str> =
            collected.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!((ids.len() as u64, collected.lines().count() as u64), (runs, runs + 1), "each run once");
    }

    fn check_bytes(&self) {
        let local = self.cluster.folder.path().join("local");
        if !local.exists() {
            let (recipe, out) = (self.recipe.display().to_string(), local.display().to_string());
            let bin = Path::new(env!("CARGO_BIN_EXE_creditscope"));
            succeeded(&self.cluster.creditscope(bin, &["run", &recipe, "--out", &out, "--quiet"]));
        }
        for run in self.directories() {
            assert_same(&local.join(run.file_name().expect("a name")), &run);
        }
    }

    /// Only files that docs/cluster.md lists, and those of a run.
    fn check_files(&self) {
        let run = ["recipe.toml", "run.json", "metrics.jsonl", "checkpoint.safetensors"].map(str::to_owned);
        for directory in self.directories() {
            files::check(&directory, &run);
        }
        files::check(&self.runs.join("sweep"), &files::listed());
    }

    /// Attempts at all runs that ended in this way.
    pub(crate) fn attempts_that(&self, how: &str) -> usize {
        let attempts = self.runs.join("sweep/attempts");
        let ended = |path: PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            serde_json::from_slice::<Value>(&bytes).is_ok_and(|end| end["ending"]["how"] == how)
        };
        let of = |run: String| {
            let at = attempts.join(run);
            names(&at).into_iter().filter(|file| file.ends_with(".end.json") && ended(at.join(file))).count()
        };
        names(&attempts).into_iter().map(of).sum()
    }

    /// What all workers printed.
    pub(crate) fn logs(&self) -> String {
        let logs = self.runs.join("sweep/logs");
        names(&logs).iter().map(|log| std::fs::read_to_string(logs.join(log)).unwrap_or_default()).collect()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What a call printed, if it succeeded.
pub(crate) fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
