//! `creditscope sweep` without a cluster: plans, local workers, printed commands, two workers at once, signals.

mod common;

use common::{assert_same, program, recipe, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::Duration;

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

/// Longer runs, so that there is something to disturb.
fn long() -> String {
    RECIPE.replace("train.epochs = 8", "train.epochs = 60").replace("['bp', 'fa']", "'fa'")
}

#[test]
fn two_workers_of_one_shard_do_no_harm() {
    let sweep = Sweep::new(&long());
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    let workers = [sweep.worker("1-0"), sweep.worker("1-0"), sweep.worker("1-0")];
    for worker in workers {
        let output = finished(worker);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    }
    let local = sweep.local();
    for run in ["fa-s1", "fa-s2"] {
        let endings = sweep.endings(run);
        assert!(!endings.contains(&"failed".to_owned()), "{endings:?}");
        assert_same(&local.join(run), &sweep.runs().join(run));
    }
    assert_eq!(sweep.status()["counts"]["done"], 2);
}

fn signal(child: &Child, name: &str) {
    let status =
        std::process::Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
}

fn epochs(run: &Path) -> usize {
    std::fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count())
}

fn wait_for_epochs(child: &mut Child, run: &Path, n: usize) {
    while epochs(run) < n {
        assert!(child.try_wait().expect("its state").is_none(), "it ended early");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn every_signal_saves_and_leaves() {
    let sweep = Sweep::new(&long());
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    for name in SIGNALS {
        let mut worker = sweep.worker("1-0");
        let run = sweep.runs().join("fa-s1");
        let before = epochs(&run);
        wait_for_epochs(&mut worker, &run, before + 3);
        signal(&worker, name);
        let output = finished(worker);
        assert_eq!(output.status.code(), Some(130), "{name}: {}", text(&output.stderr));
        assert!(epochs(&run) >= before + 3, "{name}: what was trained is there");
        assert_eq!(sweep.status()["counts"]["interrupted"], 1, "{name}");
    }
    assert_eq!(sweep.endings("fa-s1"), vec!["interrupted"; SIGNALS.len()]);
    assert!(finished(sweep.worker("1-0")).status.success());
    let local = sweep.local();
    ["fa-s1", "fa-s2"].iter().for_each(|run| assert_same(&local.join(run), &sweep.runs().join(run)));
}

const SIGNALS: [&str; 4] = ["TERM", "HUP", "INT", "USR1"];

#[test]
fn a_killed_worker_is_noticed_and_its_run_taken_over() {
    let sweep = Sweep::new(&long());
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    let mut worker = sweep.worker("1-0");
    wait_for_epochs(&mut worker, &sweep.runs().join("fa-s1"), 4);
    let report = sweep.status();
    assert_eq!(report["counts"]["running"], 1, "{report:#}");
    worker.kill().expect("SIGKILL");
    worker.wait().expect("it ends");
    // Its signs of life are fresh for a while: the next worker does the other run first and then waits for them to stop.
    let output = finished(sweep.worker("1-0"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(sweep.endings("fa-s1"), ["over", "yielded"], "the killed one has no end");
    let local = sweep.local();
    ["fa-s1", "fa-s2"].iter().for_each(|run| assert_same(&local.join(run), &sweep.runs().join(run)));
}

/// The worst twin: frozen for long enough to count as dead, and woken when another has gone on with its run.
#[test]
fn a_worker_that_wakes_up_after_its_run_was_taken_over() {
    let sweep = Sweep::new(&long());
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    let run = sweep.runs().join("fa-s1");
    let mut first = sweep.worker("1-0");
    wait_for_epochs(&mut first, &run, 4);
    signal(&first, "STOP");
    std::thread::sleep(Duration::from_millis(1200));
    let mut second = sweep.worker("1-0");
    let there = epochs(&run);
    wait_for_epochs(&mut second, &run, there + 2);
    signal(&first, "CONT");
    let (first, second) = (finished(first), finished(second));
    assert!(text(&first.stderr).contains("another attempt took it over"), "{}", text(&first.stderr));
    assert!(matches!(second.status.code(), Some(0 | 1)), "{}", text(&second.stderr));
    assert_eq!(sweep.endings("fa-s1"), ["over", "superseded"]);
    assert_eq!(sweep.status()["counts"]["done"], 2);
    let local = sweep.local();
    ["fa-s1", "fa-s2"].iter().for_each(|run| assert_same(&local.join(run), &sweep.runs().join(run)));
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
