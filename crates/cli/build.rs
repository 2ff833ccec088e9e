//! Tests on a real Slurm are ignored, and say what they need, where they are not asked for or its programs are missing. A test
//! that finds nothing to do would count as passed.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(with_slurm, with_mounts)");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed=CREDITSCOPE_SLURM");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.extend(["/usr/sbin", "/sbin"].map(PathBuf::from));
    let found = |program: &str| {
        let place = folders.iter().map(|folder| folder.join(program)).find(|place| place.is_file());
        // Where it is missing, it may come: the usual place is looked at again.
        let watched = place.clone().unwrap_or_else(|| Path::new("/usr/sbin").join(program));
        println!("cargo::rerun-if-changed={}", watched.display());
        place.is_some()
    };
    let asked = std::env::var_os("CREDITSCOPE_SLURM").is_some_and(|value| !value.is_empty());
    if asked && ["slurmctld", "slurmd", "munged", "sbatch"].map(found).iter().all(|found| *found) {
        println!("cargo::rustc-cfg=with_slurm");
        // A node that sees other files than the others, and a small disk.
        let own = ["-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"];
        if std::process::Command::new("unshare")
            .args(own)
            .output()
            .is_ok_and(|output| output.status.success())
        {
            println!("cargo::rustc-cfg=with_mounts");
        }
    }
}
