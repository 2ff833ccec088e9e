//! A controller that dies, forgets, or is not there.

use crate::cluster::Cluster;
use crate::common::text;
use crate::sweeps::{Sweep, recipe};
use std::time::{Duration, Instant};

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_controller_killed_right_after_the_submission() {
    let mut cluster = Cluster::new();
    let text = recipe("'bp'", "[1, 2]", 20);
    Sweep::new(&cluster, &text).submitted(&["--shards", "2"]);
    let submitted = Instant::now();
    let mut paused = Vec::new();
    while submitted.elapsed() < Duration::from_millis(1500) {
        paused.push(cluster.pause());
        std::thread::sleep(Duration::from_millis(20));
    }
    cluster.kill_controller();
    let silent = Sweep::new(&cluster, &text).sweep("status", &["--json", "--patience", "1"]);
    let silent: serde_json::Value = serde_json::from_slice(&silent.stdout).expect("JSON");
    let (failed, killed) = (&silent["counts"]["failed"], &silent["counts"]["killed"]);
    assert!(failed == 0 && killed == 0, "a silent queue makes nothing failed: {silent:#}");
    assert!(silent["trouble"].is_string(), "{silent:#}");
    drop(paused);
    cluster.start_controller();
    let sweep = Sweep::new(&cluster, &text);
    cluster.wait("the controller answers", |cluster| !cluster.ask("sinfo", &["-h"]).is_empty());
    // It knows the job or forgot it. Where it forgot, processes of it are killed in time.
    cluster.wait("nobody is at work", |_| {
        ["running", "queued", "unknown"].iter().all(|state| sweep.count(state) == 0)
    });
    if sweep.count("done") < 8 {
        sweep.resumed(&["--shards", "2"]);
        cluster.wait_for_queue();
    }
    sweep.check_complete(8);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_submission_while_the_controller_is_down() {
    let mut cluster = Cluster::new();
    cluster.kill_controller();
    let recipe = recipe("'bp'", "[1]", 2);
    let refused = Sweep::new(&cluster, &recipe).submit(&["--patience", "2"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(message.contains("does not answer") && message.contains("again later"), "{message}");
    cluster.start_controller();
    let sweep = Sweep::new(&cluster, &recipe);
    let said = sweep.submitted(&["--shards", "2"]);
    assert!(said.contains("Submitted job") && said.contains("4 runs in 2 shards"), "{said}");
    cluster.wait_for_queue();
    sweep.check_complete(4);
    assert!(sweep.submitted(&[]).contains("Nothing to submit: 4 done."));
}
