//! Our side of training: a small recipe in a fresh folder, and its run.

use crate::bench::Bench;
use crate::process::{Ended, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The variable part of a recipe; all train d = 256, L = 4 on CIFAR-10.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Training<'a> {
    /// Rules, each with every seed.
    pub(crate) rules: &'a [&'a str],
    pub(crate) seeds: &'a [u64],
    pub(crate) epochs: usize,
    /// Concurrent runs.
    pub(crate) jobs: usize,
    /// Threads per run.
    pub(crate) threads: usize,
}

impl Training<'_> {
    /// The recipe. Without audits during the run, since the other side has none; norms and cosines use as many samples as
    /// the other side's.
    fn recipe(&self) -> String {
        format!(
            "name = 'compare'\nseed = {:?}\n[data]\nname = 'cifar10'\n[net]\nd = 256\nblocks = 4\n[rule]\nname = {:?}\n\
             [train]\nepochs = {}\n[eval]\nsamples = 1024\n[audit]\nevery = 0.0\n",
            self.seeds, self.rules, self.epochs
        )
    }

    /// Trains into `out`, a folder that does not exist yet.
    pub(crate) fn run(&self, bench: &Bench, out: &Path) -> Result<Ended, String> {
        let data = bench.cifar.as_ref().map_err(Clone::clone)?;
        let recipe = out.with_extension("toml");
        std::fs::write(&recipe, self.recipe()).map_err(|error| error.to_string())?;
        let mut command = bench.ours(&["run", "--quiet"]);
        command.arg(recipe).arg("--out").arg(out).arg("--data").arg(data);
        command.args(["--jobs", &self.jobs.to_string(), "--threads", &self.threads.to_string()]);
        run(command)
    }
}

/// The folder of a run.
pub(crate) fn run_folder(out: &Path, rule: &str, seed: u64) -> PathBuf {
    out.join(format!("{rule}-s{seed}"))
}

/// Seconds of the last epoch: training, the test set, norms and cosines. Both sides write the same keys.
pub(crate) fn last_epoch_seconds(metrics: &str) -> Result<f64, String> {
    let last = metrics.lines().last().ok_or("no epoch was written")?;
    let epoch: Value = serde_json::from_str(last).map_err(|error| error.to_string())?;
    ["train_seconds", "test_seconds", "evaluation_seconds"]
        .iter()
        .map(|key| epoch[*key].as_f64().ok_or(format!("no {key} in {last}")))
        .sum()
}
