//! The same work asked for twice: by the user, by Slurm, or because a number was lost.

use crate::cluster::Cluster;
use crate::common::text;
use crate::sweeps::{Sweep, recipe, succeeded};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn the_same_sweep_submitted_twice_and_a_number_that_was_lost() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa']", "[1]", 20));
    sweep.submitted(&["--shards", "4", "--throttle", "2"]);
    let there = cluster.queue().len();
    assert!(there > 0);
    let said = sweep.submitted(&["--shards", "4"]);
    assert!(said.contains("Nothing to submit"), "{said}");
    assert!(cluster.queue().len() <= there);
    // As if the answer of sbatch had been lost: the job is found by its name.
    let path = sweep.runs.join("sweep/submissions/1.json");
    let mut submission: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
    submission["job"] = Value::Null;
    std::fs::write(&path, submission.to_string()).expect("written");
    assert!(sweep.submitted(&[]).contains("Nothing to submit"));
    assert!(sweep.resumed(&[]).contains("Nothing to submit"));
    assert!(sweep.count("queued") + sweep.count("running") > 0);
    cluster.wait_for_queue();
    assert!(!sweep.runs.join("sweep/2.sh").exists(), "nothing was submitted twice");
    sweep.check_complete(8);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn the_last_element_is_requeued_alone() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa', 'dfa']", "[1]", 30));
    sweep.submitted(&["--shards", "3"]);
    let last = |cluster: &Cluster| {
        let works = |line: &&String| line.contains(" 2 RUNNING");
        cluster.queue().iter().find(works).map(|line| line.split(' ').next().unwrap_or_default().to_owned())
    };
    cluster.wait("the last element is at work", |cluster| last(cluster).is_some());
    cluster.wait("its run is under way", |_| sweep.count("running") == 3);
    let job = last(&cluster).expect("a job");
    cluster.ask("scontrol", &["requeue", &format!("{job}_2")]);
    cluster.wait_for_queue();
    let mut restarts: Vec<(String, u64)> = Vec::new();
    for run in sweep.directories() {
        let at = sweep.runs.join("sweep/attempts").join(run.file_name().expect("a name"));
        for entry in std::fs::read_dir(at).expect("attempts").flatten() {
            if entry.file_name().to_string_lossy().ends_with(".start.json") {
                let start: Value =
                    serde_json::from_slice(&std::fs::read(entry.path()).expect("a start")).expect("JSON");
                let shard = start["shard"].as_str().expect("a shard").to_owned();
                restarts.push((shard, start["restarts"].as_u64().expect("a number")));
            }
        }
    }
    assert!(restarts.iter().any(|(shard, n)| shard == "1-2" && *n == 1), "{restarts:?}");
    assert!(
        restarts.iter().all(|(shard, n)| shard == "1-2" || *n == 0),
        "no other element began again: {restarts:?}"
    );
    sweep.check_complete(12);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn more_shards_than_an_array_may_have() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa', 'dfa']", "[1, 2, 3, 4]", 1));
    // MaxArraySize is 20: indices go from 0 to 19.
    let said = sweep.submitted(&["--shards", "45"]);
    assert_eq!(said.matches("Submitted job").count(), 3, "{said}");
    let lines = |n: u64| {
        let shards =
            std::fs::read_to_string(sweep.runs.join(format!("sweep/shards/{n}.txt"))).expect("shards");
        shards.lines().count()
    };
    assert_eq!([1, 2, 3].map(lines), [20, 20, 5]);
    cluster.wait_for_queue();
    sweep.check_complete(48);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_program_replaced_in_the_middle() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("'bp'", "[1, 2]", 10));
    let planned = std::fs::read(sweep.program()).expect("the program");
    sweep.submitted(&["--shards", "4"]);
    // A new version is installed under the old name.
    std::fs::remove_file(sweep.program()).expect("removed");
    std::fs::write(sweep.program(), "#!/bin/sh\nexit 1\n").expect("written");
    cluster.wait_for_queue();
    std::fs::remove_file(sweep.program()).expect("removed");
    std::fs::copy(env!("CARGO_BIN_EXE_creditscope"), sweep.program()).expect("copied");
    sweep.check_complete(8);
    // A worker that is not the planned program says so and trains nothing.
    let kept = sweep.runs.join("sweep/creditscope");
    let mut other = planned;
    other.push(0);
    std::fs::remove_file(&kept).expect("removed");
    std::fs::write(&kept, other).expect("written");
    std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let refused =
        cluster.creditscope(&kept, &["sweep", "work", &sweep.runs.display().to_string(), "--shard", "1-0"]);
    let message = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && message.contains("not the program"), "{message}");
    assert!(succeeded(&sweep.sweep("status", &[])).contains("8 done"));
}
