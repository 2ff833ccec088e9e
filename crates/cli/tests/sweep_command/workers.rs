//! Workers at once, killed, frozen and signalled.

use super::{RECIPE, Sweep, finished};
use crate::common::{assert_same, text};
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
