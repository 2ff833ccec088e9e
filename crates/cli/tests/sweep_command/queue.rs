//! What the answers of Slurm's commands are taken for, by stand-ins for them that say what they are told to.

use super::{RECIPE, Sweep};
use crate::common::{program, text};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A sweep whose runs are all in job 7, or so sbatch said.
struct Submitted {
    sweep: Sweep,
    commands: PathBuf,
}

impl Submitted {
    fn new() -> Self {
        let sweep = Sweep::new(RECIPE);
        let commands = sweep.folder.path().join("commands");
        std::fs::create_dir(&commands).expect("a folder");
        let submitted = Self { sweep, commands };
        submitted.says("sbatch", "echo 7");
        submitted.says("squeue", "exit 0");
        submitted.says("scontrol", "echo 'MaxArraySize = 1001'");
        submitted.says("scancel", "echo $* > cancelled");
        submitted.call(&["submit", "recipe.toml", "--shards", "2"]);
        submitted
    }

    /// From now on, a command does this.
    fn says(&self, command: &str, script: &str) {
        let path = self.commands.join(command);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    fn call(&self, args: &[&str]) -> String {
        let path = format!("{}:{}", self.commands.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = program();
        command.current_dir(self.sweep.folder.path()).env("PATH", path).arg("sweep").args(args);
        let output = command.output().expect("the program starts");
        text(&output.stdout) + &text(&output.stderr)
    }

    fn status(&self) -> Value {
        let said = self.call(&["status", "runs/recipe", "--json", "--patience", "0"]);
        serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {said}"))
    }
}

const UNKNOWN_NUMBER: &str = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";

fn shown(state: &str) -> String {
    format!("echo 'JobId=7 ArrayJobId=7 ArrayTaskId=0-1 JobName=x JobState={state} Reason=None'")
}

#[test]
fn an_empty_list_condemns_nobody() {
    let slurm = Submitted::new();
    // The controller shows the job at work or waiting, says nothing, or is out of reach.
    let out_of_reach = "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1";
    for says in [&shown("PENDING"), &shown("RUNNING"), "exit 0", out_of_reach] {
        slurm.says("scontrol", says);
        let report = slurm.status();
        assert_eq!(report["counts"]["unknown"], 4, "{says}: {report:#}");
        assert!(report["trouble"].is_string(), "{report:#}");
        let said = slurm.call(&["resume", "runs/recipe", "--patience", "0"]);
        assert!(said.contains("nothing is submitted"), "{says}: {said}");
    }
    // The same where `squeue` knows no such number and the controller does.
    slurm.says("squeue", UNKNOWN_NUMBER);
    slurm.says("scontrol", &shown("PENDING"));
    assert_eq!(slurm.status()["counts"]["unknown"], 4);
    slurm.call(&["cancel", "runs/recipe"]);
    let cancelled = std::fs::read_to_string(slurm.sweep.folder.path().join("cancelled"));
    assert_eq!(cancelled.expect("asked").trim(), "7", "what may be at work is cancelled too");
}

#[test]
fn a_job_that_is_over_or_that_the_controller_does_not_know_is_gone() {
    let slurm = Submitted::new();
    for says in [&shown("CANCELLED"), UNKNOWN_NUMBER] {
        slurm.says("scontrol", says);
        let report = slurm.status();
        assert_eq!(report["counts"]["lost"], 4, "{says}: {report:#}");
        assert!(report["trouble"].is_null(), "{report:#}");
    }
    // Of a job that is listed, the elements that are not are over.
    slurm.says("squeue", "echo '7|1|PENDING||Priority'");
    slurm.says("scontrol", "exit 0");
    let report = slurm.status();
    assert_eq!(
        (&report["counts"]["lost"], &report["counts"]["queued"]),
        (&2.into(), &2.into()),
        "{report:#}"
    );
}

#[test]
fn a_job_whose_number_was_lost_is_looked_for_twice() {
    let slurm = Submitted::new();
    let path = slurm.sweep.runs().join("sweep/submissions/1.json");
    let mut submission: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
    let name = submission["name"].as_str().expect("a name").to_owned();
    submission["job"] = Value::Null;
    std::fs::write(&path, submission.to_string()).expect("written");
    // The first answer about the name is empty; what follows is not.
    let named = format!("case $* in *-n*) if [ -e asked ]; then echo '7|{name}'; else touch asked; fi;;");
    slurm.says(
        "squeue",
        &format!("{named}\n*) echo '7|0|PENDING||Priority'; echo '7|1|PENDING||Priority';; esac"),
    );
    assert_eq!(slurm.status()["counts"]["queued"], 4);
}
