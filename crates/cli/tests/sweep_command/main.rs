//! `creditscope sweep` without a cluster: plans, local workers, printed commands, two workers at once, signals.

#[path = "../common/mod.rs"]
mod common;
mod queue;
mod workers;

use common::{assert_same, program, recipe, text};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

const RECIPE: &str = "
data.name = 'digits'
net.d = 24
net.blocks = 2
rule.name = ['bp', 'fa']
train.batch = 10
train.epochs = 8
eval.samples = 32
audit.every = 0
seed = [1, 2]
";

const RUNS: [&str; 4] = ["bp-s1", "bp-s2", "fa-s1", "fa-s2"];

struct Sweep {
    folder: tempfile::TempDir,
    recipe: PathBuf,
}

impl Sweep {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let recipe = recipe(folder.path(), text);
        Self { folder, recipe }
    }

    fn runs(&self) -> PathBuf {
        self.folder.path().join("runs/recipe")
    }

    fn call(&self, args: &[&str]) -> Output {
        program()
            .current_dir(self.folder.path())
            .arg("sweep")
            .args(args)
            .output()
            .expect("the program starts")
    }

    fn succeed(&self, args: &[&str]) -> String {
        let output = self.call(args);
        assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn refuse(&self, args: &[&str]) -> String {
        let output = self.call(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stdout));
        text(&output.stderr)
    }

    fn status(&self) -> Value {
        let output = self.call(&["status", "runs/recipe", "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["all_done"], output.status.code() == Some(0));
        report
    }

    /// Trains the recipe without a sweep.
    fn local(&self) -> PathBuf {
        let out = self.folder.path().join("local");
        let recipe = self.recipe.display().to_string();
        let args = ["run", &recipe, "--quiet", "--out", &out.display().to_string()];
        let output = program().args(args).output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        out
    }

    /// A worker, as a job would execute it.
    fn worker(&self, shard: &str) -> Child {
        let runs = self.runs();
        let mut command = program();
        command.args(["sweep", "work", &runs.display().to_string(), "--shard", shard]);
        command.args(["--heartbeat", "0.3", "--checkpoint-every", "0"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    }

    /// Ends of attempts at a run.
    fn endings(&self, run: &str) -> Vec<String> {
        let at = self.runs().join("sweep/attempts").join(run);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().ends_with(".end.json") {
                let end: Value =
                    serde_json::from_slice(&std::fs::read(entry.path()).expect("an end")).expect("JSON");
                found.push(end["ending"]["how"].as_str().expect("a word").to_owned());
            }
        }
        found.sort();
        found
    }
}

fn finished(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

#[test]
fn the_same_runs_as_without_a_sweep() {
    let sweep = Sweep::new(RECIPE);
    let said = sweep.succeed(&["plan", "recipe.toml"]);
    assert!(said.contains("Planned 4 runs in runs/recipe"), "{said}");
    let manifest = std::fs::read(sweep.runs().join("sweep/manifest.json")).expect("a manifest");
    assert_eq!(sweep.status()["counts"]["not submitted"], 4);
    sweep.succeed(&["plan", "recipe.toml"]);
    sweep.succeed(&["submit", "recipe.toml", "--on", "local", "--quiet"]);
    assert_eq!(sweep.status()["counts"]["done"], 4);
    assert_eq!(
        std::fs::read(sweep.runs().join("sweep/manifest.json")).expect("a manifest"),
        manifest,
        "frozen"
    );
    let local = sweep.local();
    RUNS.iter().for_each(|run| assert_same(&local.join(run), &sweep.runs().join(run)));
    let table = sweep.succeed(&["collect", "runs/recipe", "--csv", "-"]);
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.lines().skip(1).all(|line| line.contains(",done,8,8,")), "{table}");
    assert!(
        sweep.succeed(&["submit", "runs/recipe", "--on", "local"]).contains("Nothing to submit: 4 done.")
    );
    // Other commands see a folder of runs.
    let listed =
        program().args(["runs", "list", &sweep.runs().display().to_string()]).output().expect("it starts");
    assert_eq!(text(&listed.stdout).matches("finished").count(), 4);
}

#[test]
fn a_frozen_plan_is_not_replaced() {
    let sweep = Sweep::new(RECIPE);
    assert!(sweep.refuse(&["status", "runs/recipe"]).contains("creditscope sweep"), "nothing is planned");
    sweep.succeed(&["plan", "recipe.toml"]);
    let message = sweep.refuse(&["plan", "recipe.toml", "--set", "train.epochs=9"]);
    assert!(message.contains("its bp-s1 has another recipe") && message.contains("--out DIR"), "{message}");
    let message = sweep.refuse(&["submit", "recipe.toml", "--seeds", "1,2,3", "--on", "local"]);
    assert!(message.contains("it has no run bp-s3"), "{message}");
    let message = sweep.refuse(&["submit", "recipe.toml", "--rules", "bp", "--on", "local"]);
    assert!(message.contains("4 runs") && message.contains("has 2"), "{message}");
    assert!(sweep.refuse(&["submit", "runs/recipe", "--seeds", "1"]).contains("frozen"));
    assert!(sweep.refuse(&["submit", "recipe.toml", "--per-shard", "30"]).contains("30m"));
}

#[test]
fn printed_commands_train_everything_and_a_shard_that_is_not_there_is_refused() {
    let sweep = Sweep::new(RECIPE);
    let commands = sweep.succeed(&["submit", "recipe.toml", "--shards", "3", "--commands"]);
    assert_eq!(commands.lines().count(), 3, "{commands}");
    assert_eq!(sweep.status()["counts"]["not submitted"], 4, "nobody has begun");
    for line in commands.lines().skip(1) {
        let output = std::process::Command::new("sh").args(["-c", line]).output().expect("a shell");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    // The first by its index in an array.
    let runs = sweep.runs().display().to_string();
    let mut auto = program();
    auto.args(["sweep", "work", &runs, "--shard", "1-auto"]).env("HQ_TASK_ID", "0");
    assert!(auto.output().expect("it starts").status.success());
    assert_eq!(sweep.status()["counts"]["done"], 4);
    assert!(sweep.refuse(&["work", &runs, "--shard", "1-3"]).contains("submission 1 has 3"));
    assert!(sweep.refuse(&["work", &runs, "--shard", "7-0"]).contains("7.txt is not there"));
    assert!(sweep.refuse(&["work", &runs, "--shard", "x"]).contains("SUBMISSION-INDEX"));
}

#[test]
fn a_shard_of_run_by_the_index_of_a_scheduler() {
    let sweep = Sweep::new(RECIPE);
    let run = |shard: &str, env: &[(&str, &str)]| {
        let out = sweep.folder.path().join("out").display().to_string();
        let recipe = sweep.recipe.display().to_string();
        let mut command = program();
        command.args(["run", &recipe, "--out", &out, "--quiet", "--shard", shard]).envs(env.iter().copied());
        command.output().expect("the program starts")
    };
    assert!(run("auto/4", &[("HQ_TASK_ID", "2")]).status.success());
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "3"),
        ("SLURM_ARRAY_TASK_MIN", "0"),
        ("SLURM_ARRAY_TASK_MAX", "3"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    assert!(run("auto", &slurm).status.success());
    let out = sweep.folder.path().join("out");
    let trained: Vec<bool> = RUNS.iter().map(|run| out.join(run).exists()).collect();
    assert_eq!(trained, [false, false, true, true]);
    let message = text(&run("auto", &[("PBS_ARRAY_INDEX", "1")]).stderr);
    assert!(message.contains("PBS_ARRAY_INDEX") && message.contains("auto/N"), "{message}");
}

#[test]
fn a_failed_run_stops_no_other_and_is_named() {
    let sweep = Sweep::new(RECIPE);
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    // A directory of another run is in the way of one.
    let run = sweep.runs().join("bp-s2");
    std::fs::create_dir_all(&run).expect("a folder");
    std::fs::write(run.join("recipe.toml"), "seed = 7\n").expect("written");
    let output = finished(sweep.worker("1-0"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = sweep.status();
    assert_eq!(
        (&report["counts"]["done"], &report["counts"]["failed"]),
        (&3.into(), &1.into()),
        "{report:#}"
    );
    let page = text(&sweep.call(&["status", "runs/recipe"]).stdout);
    assert!(page.contains("bp-s2: failed on ") && page.contains("another recipe"), "{page}");
    assert!(page.trim_end().ends_with("creditscope sweep resume runs/recipe"), "{page}");
    std::fs::remove_dir_all(&run).expect("removed");
    sweep.succeed(&["resume", "runs/recipe", "--on", "local", "--quiet"]);
    assert_eq!(sweep.status()["counts"]["done"], 4);
}

#[test]
fn a_submission_without_slurm_says_what_else_there_is() {
    let sweep = Sweep::new(RECIPE);
    let output = program()
        .current_dir(sweep.folder.path())
        .env("PATH", "/nonexistent")
        .args(["sweep", "submit", "recipe.toml"])
        .output()
        .expect("the program starts");
    let message = text(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("--commands"), "{message}");
    assert_eq!(sweep.status()["counts"]["not submitted"], 4);
}
