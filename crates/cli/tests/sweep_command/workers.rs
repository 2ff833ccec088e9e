//! Workers at once, killed, frozen and signalled.

use super::{RECIPE, Sweep, finished};
use crate::common::{assert_same, program, text};
use serde_json::Value;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

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

/// A worker that cannot start a thread for its signs of life trains all the same, and gives them with its epochs.
#[test]
fn a_worker_without_a_thread_for_its_signs_of_life() {
    let sweep = Sweep::new(&long());
    sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
    let mut worker = program();
    worker.args([
        "sweep",
        "work",
        &sweep.runs().display().to_string(),
        "--shard",
        "1-0",
        "--heartbeat",
        "0.001",
    ]);
    // More stack per thread than there are addresses.
    let output = worker.env("RUST_MIN_STACK", "1000000000000000").output().expect("the program starts");
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("No thread for signs of life"), "{said}");
    assert_eq!(sweep.status()["counts"]["done"], 2);
    let signs = std::fs::read_dir(sweep.runs().join("sweep/attempts/fa-s1")).expect("attempts").flatten();
    let signs = signs.filter(|sign| sign.file_name().to_string_lossy().ends_with(".beat.json"));
    assert_eq!(signs.count(), 1, "with the epochs");
}

/// What a killed worker was given is shown, and Slurm says it in one of two ways.
#[test]
fn memory_asked_for_by_node_and_by_core() {
    type Case = (&'static [(&'static str, &'static str)], Option<u64>);
    let cases: [Case; 4] = [
        (&[("SLURM_MEM_PER_NODE", "300"), ("SLURM_CPUS_ON_NODE", "2")], Some(300)),
        (
            &[("SLURM_MEM_PER_CPU", "100"), ("SLURM_CPUS_ON_NODE", "2"), ("SLURM_CPUS_PER_TASK", "1")],
            Some(200),
        ),
        (&[("SLURM_MEM_PER_CPU", "100"), ("SLURM_CPUS_PER_TASK", "3")], Some(300)),
        (&[("SLURM_MEM_PER_CPU", "100")], None),
    ];
    for (env, asked) in cases {
        let sweep = Sweep::new(&RECIPE.replace("['bp', 'fa']", "'bp'").replace("[1, 2]", "1"));
        sweep.succeed(&["submit", "recipe.toml", "--shards", "1", "--commands"]);
        let mut worker = program();
        worker.args(["sweep", "work", &sweep.runs().display().to_string(), "--shard", "1-0"]);
        let output = worker.envs(env.iter().copied()).output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let files = std::fs::read_dir(sweep.runs().join("sweep/attempts/bp-s1")).expect("attempts").flatten();
        let mut paths = files.map(|file| file.path());
        let start = paths.find(|path| path.to_string_lossy().ends_with(".start.json")).expect("a start");
        let start: Value = serde_json::from_slice(&std::fs::read(start).expect("a file")).expect("JSON");
        assert_eq!(start["memory_asked"].as_u64(), asked, "{env:?}");
    }
}
