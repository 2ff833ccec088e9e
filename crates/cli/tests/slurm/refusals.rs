//! What cannot be submitted is refused with its remedy, and leaves nothing behind; a published study goes through the same door.

use crate::cluster::Cluster;
use crate::common::text;
use crate::sweeps::{Sweep, recipe, succeeded};

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
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

#[test]
#[cfg_attr(
    not(with_slurm),
    ignore = "install slurmctld, slurmd, slurm-client and munge, and set CREDITSCOPE_SLURM=1"
)]
fn a_published_study() {
    let cluster = Cluster::new();
    let out = cluster.folder.path().join("reproduction").display().to_string();
    let sweep = Sweep::new(&cluster, "");
    let study = ["reproduce", "toy-lq", "--quick", "--out", &out];
    let said = succeeded(&sweep.words(&[&study[..], &["--on", "slurm", "--", "--mem=100"]].concat()));
    assert!(said.contains("Submitted job") && said.contains("9 runs in 1 shard"), "{said}");
    assert!(said.contains(&format!("creditscope reproduce toy-lq --quick --out {out}")), "{said}");
    let again = succeeded(&sweep.words(&[&study[..], &["--on", "slurm"]].concat()));
    assert!(again.contains("Nothing to submit") || again.contains("nothing to train"), "{again}");
    cluster.wait_for_queue();
    let shown = succeeded(&sweep.words(&study));
    assert!(shown.contains("9 are there already") && shown.contains("toy-lq: 9 of 9 runs"), "{shown}");
}
