//! Preemption, time limits, cancelled jobs and a full disk.

use crate::cluster::Cluster;
use crate::common::text;
use crate::sweeps::{Sweep, recipe, succeeded};
use std::process::Command;

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn preempted_by_another_partition() {
    let cluster = Cluster::with(
        "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE",
        "PartitionName=low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE State=UP\n\
         PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF State=UP",
    );
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa', 'dfa']", "[1]", 200));
    sweep.submitted(&["--shards", "3", "--", "-p", "low"]);
    cluster.wait("three runs are under way", |_| sweep.count("running") == 3);
    cluster.ask("sbatch", &["-p", "high", "--array=0-2", "--output=/dev/null", "--wrap", "sleep 2"]);
    cluster.wait("somebody was preempted", |_| sweep.attempts_that("interrupted") > 0);
    cluster.wait_for_queue();
    assert_eq!(sweep.attempts_that("failed"), 0, "{}", sweep.logs());
    // Nobody had to resume anything.
    sweep.check_complete(12);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_time_limit_with_its_signal() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa']", "[1]", 300));
    // A limit of one minute, and as early as Slurm sends it the signal that many sites ask for instead of TERM.
    sweep.submitted(&["--shards", "1", "--", "--time=1", "--signal=B:USR1@55"]);
    cluster.wait("a run is under way", |_| sweep.count("running") > 0);
    let paused = cluster.pause();
    cluster.wait("the signal is there", |_| paused.are_asked_by_usr1());
    drop(paused);
    cluster.wait_for_queue();
    let report = sweep.status();
    assert!(report["counts"]["done"].as_u64() < Some(8), "long runs do not fit: {report:#}");
    assert!(sweep.attempts_that("interrupted") > 0, "{}", sweep.logs());
    assert_eq!(sweep.attempts_that("failed"), 0);
    assert_eq!(report["next"], format!("creditscope sweep resume {}", sweep.runs.display()));
    sweep.resumed(&["--shards", "3"]);
    cluster.wait_for_queue();
    sweep.check_complete(8);
}

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn cancelled_from_outside_and_by_the_sweep() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("['bp', 'fa']", "[1]", 400));
    sweep.submitted(&["--shards", "3"]);
    cluster.wait("a run is under way", |_| sweep.count("running") > 0);
    cluster.ask("scancel", &["--user", &user()]);
    cluster.wait_for_queue();
    let report = sweep.status();
    assert_eq!(report["counts"]["failed"], 0, "{report:#}");
    assert!(report["counts"]["interrupted"].as_u64() > Some(0), "{report:#}");
    sweep.resumed(&["--shards", "3"]);
    cluster.wait("a run is under way", |_| sweep.count("running") > 0);
    let said = succeeded(&sweep.sweep("cancel", &[]));
    assert!(said.contains("Cancelled") && said.contains("resume"), "{said}");
    cluster.wait_for_queue();
    assert!(sweep.count("done") < 8, "nothing was cancelled");
    assert!(succeeded(&sweep.sweep("cancel", &[])).contains("No job of this sweep"));
    sweep.resumed(&["--shards", "3"]);
    cluster.wait_for_queue();
    sweep.check_complete(8);
}

fn user() -> String {
    text(&Command::new("id").arg("-un").output().expect("id").stdout).trim().to_owned()
}

/// A file system of a few megabytes, unmounted when it is dropped.
struct Disk<'a>(&'a std::path::Path);

impl<'a> Disk<'a> {
    fn mount(at: &'a std::path::Path, megabytes: u64) -> Self {
        std::fs::create_dir(at).expect("a folder");
        let size = format!("size={megabytes}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).status();
        assert!(mounted.expect("mount").success());
        Self(at)
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
#[cfg_attr(
    not(all(with_slurm, with_mounts)),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1, and allow mounting (root, not in a container)"
)]
fn a_shared_disk_that_is_full() {
    let cluster = Cluster::new();
    let shared = cluster.folder.path().join("shared");
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_creditscope")).expect("the program").len() >> 20;
    let _disk = Disk::mount(&shared, program + 16);
    let sweep = Sweep::below(&cluster, &recipe("['bp', 'fa']", "[1]", 3), &shared.join("runs"));
    // A node on which runs fail one after the other is kept from the next shard for a while; here there is none.
    sweep.submitted(&["--shards", "2", "--linger", "1", "--", "--hold"]);
    let filler = shared.join("filler");
    let mut file = std::fs::File::create(&filler).expect("a file");
    while std::io::Write::write_all(&mut file, &[7; 4096]).is_ok() {}
    drop(file);
    let job = cluster.queue()[0].split(' ').next().expect("a job").to_owned();
    cluster.ask("scontrol", &["release", &job]);
    cluster.wait_for_queue();
    let report = sweep.status();
    assert!(report["counts"]["done"].as_u64() < Some(8), "{report:#}");
    assert_eq!(report["next"], format!("creditscope sweep resume {}", sweep.runs.display()));
    std::fs::remove_file(&filler).expect("space");
    sweep.resumed(&["--shards", "2"]);
    cluster.wait_for_queue();
    sweep.check_complete(8);
}
