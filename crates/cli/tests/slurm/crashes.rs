//! Nodes that crash, lose their daemon, or fail every run.

use crate::cluster::Cluster;
use crate::sweeps::{Sweep, recipe, succeeded};

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn sixty_runs_over_three_nodes_with_one_that_crashes() {
    let mut cluster = Cluster::new();
    let text = recipe("['bp', 'fa', 'dfa']", "[1, 2, 3, 4, 5]", 6);
    Sweep::new(&cluster, &text).submitted(&["--shards", "6"]);
    Sweep::new(&cluster, &text).wait_until_done(12);
    assert!(!cluster.payloads(Some("n2")).is_empty(), "somebody is at work there");
    cluster.crash_node(1);
    let sweep = Sweep::new(&cluster, &text);
    // The controller notices, and requeues what was there.
    cluster.wait_for_queue();
    if sweep.count("done") < 60 {
        sweep.resumed(&[]);
        cluster.wait_for_queue();
    }
    sweep.check_complete(60);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_payload_that_outlives_its_daemon_beside_its_requeued_twin() {
    let mut cluster = Cluster::new();
    // Long runs: the twin comes some seconds later, and both must be at work on the same one.
    let text = recipe("'fa'", "[1]", 1000);
    Sweep::new(&cluster, &text).submitted(&["--shards", "1"]);
    cluster.wait("a run is under way", |cluster| Sweep::new(cluster, &text).count("running") > 0);
    let works = |cluster: &Cluster| (1..=3).find(|n| !cluster.payloads(Some(&format!("n{n}"))).is_empty());
    let node = works(&cluster).expect("somebody is at work");
    let first = cluster.payloads(None);
    cluster.kill_daemon(node - 1);
    cluster.declare_down(node - 1);
    cluster.wait("the twin is at work", |cluster| cluster.payloads(None).len() > first.len());
    assert!(first.iter().all(|process| cluster.payloads(None).contains(process)), "the first lives on");
    let sweep = Sweep::new(&cluster, &text);
    sweep.wait_until_done(4);
    cluster.wait("both have left", |cluster| cluster.payloads(None).is_empty());
    assert!(sweep.attempts_that("yielded") + sweep.attempts_that("superseded") > 0, "one gave way");
    assert_eq!(sweep.attempts_that("failed"), 0, "{}", sweep.logs());
    sweep.check_complete(4);
}

/// A node that believes to have hardly any memory refuses every run.
#[test]
#[cfg_attr(
    not(all(with_slurm, with_mounts)),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1, and allow mounting (root, not in a container)"
)]
fn a_node_on_which_every_run_fails_burns_no_more_than_its_shards() {
    let mut cluster = Cluster::new();
    let small = cluster.folder.path().join("meminfo");
    std::fs::write(&small, "MemTotal: 1 kB\n").expect("written");
    let bind = format!("mount --bind {} /proc/meminfo", small.display());
    cluster.restart_node_after(2, &bind);
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa', 'dfa']", "[1, 2]", 3));
    // Six shards of four runs. The bad node fails three runs of one and stays with it while the others are trained.
    sweep.submitted(&["--shards", "6", "--linger", "60", "--", "--mem=100"]);
    sweep.wait_until_done(20);
    let report = sweep.status();
    assert_eq!(
        (&report["counts"]["done"], &report["counts"]["failed"]),
        (&20.into(), &3.into()),
        "{report:#}"
    );
    let runs = report["runs"].as_array().expect("runs");
    let words = |run: &serde_json::Value| run["words"].as_str().unwrap_or_default().to_owned();
    assert!(
        runs.iter().filter(|run| run["state"] == "failed").all(|run| words(run).contains("on n3: ")),
        "{report:#}"
    );
    assert!(sweep.logs().contains("3 runs in a row failed on node n3"), "{}", sweep.logs());
    assert_eq!(report["next"], format!("creditscope sweep resume {}", sweep.runs.display()));
    succeeded(&sweep.sweep("cancel", &[]));
    cluster.wait_for_queue();
    sweep.resumed(&["--", "--exclude=n3"]);
    cluster.wait_for_queue();
    sweep.check_complete(24);
}
