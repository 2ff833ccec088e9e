//! What cannot be submitted is refused with its remedy, and leaves nothing behind.

use crate::cluster::Cluster;
use crate::common::text;
use crate::sweeps::{Sweep, recipe};

#[test]
#[cfg_attr(not(with_slurm), ignore = "install slurmctld, slurmd, slurm-client and munge")]
fn options_that_slurm_or_the_sweep_refuses() {
    let cluster = Cluster::new();
    let sweep = Sweep::new(&cluster, &recipe("'bp'", "[1]", 1));
    for (options, part) in [
        (["-p", "nonesuch"], "nonesuch"),
        (["--array=0-3", "--mem=1"], "the shards are the array"),
        (["--no-requeue", "--mem=1"], "goes on where it stopped"),
    ] {
        let output = sweep.submit(&["--", options[0], options[1]]);
        let message = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && message.to_lowercase().contains(part),
            "{options:?}: {message}"
        );
        assert!(cluster.queue().is_empty());
    }
    assert_eq!(sweep.count("not submitted"), 4, "a refused submission is none");
    let dry = text(
        &sweep
            .submit(&["--shards", "2", "--throttle", "1", "--dry-run", "--", "-p", "main", "--mem=100"])
            .stdout,
    );
    for line in ["#SBATCH --array=0-1%1", "#SBATCH --requeue", "#SBATCH -p main", "#SBATCH --mem=100"] {
        assert!(dry.lines().any(|there| there == line), "{line}\n{dry}");
    }
    assert!(cluster.queue().is_empty());
}
