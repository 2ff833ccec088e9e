//! Runs Slurm's commands, with patience where the controller is busy.

use crate::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Slurm {
    /// How long to wait for a controller that does not answer.
    pub patience: Duration,
}

impl Default for Slurm {
    fn default() -> Self {
        Self { patience: Duration::from_secs(60) }
    }
}

/// What commands say when the controller is busy, restarting or out of reach: asking again may help.
const PASSING: [&str; 11] = [
    "unable to contact slurm controller",
    "socket timed out",
    "connection refused",
    "connection reset",
    "connection timed out",
    "zero bytes were transmitted",
    "resource temporarily unavailable",
    "temporarily unable to accept job",
    "transport endpoint is not connected",
    "in standby mode",
    "unable to establish controller",
];

/// Variables that would change what commands print or what a script says. A user's own account and partition stay.
fn disturbs(variable: &str) -> bool {
    const OURS: [&str; 12] = [
        "SBATCH_ARRAY_INX",
        "SBATCH_JOB_NAME",
        "SBATCH_OUTPUT",
        "SBATCH_ERROR",
        "SBATCH_INPUT",
        "SBATCH_OPEN_MODE",
        "SBATCH_REQUEUE",
        "SBATCH_NO_REQUEUE",
        "SBATCH_SIGNAL",
        "SBATCH_WAIT",
        "SBATCH_EXPORT",
        "SLURM_TIME_FORMAT",
    ];
    variable.starts_with("SQUEUE_") || variable.starts_with("SCANCEL_") || OURS.contains(&variable)
}

/// How a command failed.
enum Trouble {
    /// It may help to ask again.
    Passing(String),
    Final(Error),
}

impl Slurm {
    /// What a question prints, asked again while the controller is out of reach.
    pub(super) fn ask(&self, program: &str, args: &[&str]) -> Result<String, Error> {
        let begun = Instant::now();
        let mut wait = Duration::from_millis(500);
        loop {
            match once(program, args) {
                Ok(text) => return Ok(text),
                Err(Trouble::Final(error)) => return Err(error),
                Err(Trouble::Passing(message)) if begun.elapsed() + wait > self.patience => {
                    return Err(Error::Silent { message });
                }
                Err(Trouble::Passing(_)) => std::thread::sleep(wait),
            }
            wait = (2 * wait).min(Duration::from_secs(10));
        }
    }

    /// Submits a script. An answer may be lost after the job was accepted, so before the script is sent again the queue is
    /// asked for a job of its name.
    pub fn submit(&self, script: &Path, name: &str, options: &[String]) -> Result<u64, Error> {
        let begun = Instant::now();
        let script = script.to_string_lossy();
        let mut args = vec!["--parsable"];
        args.extend(options.iter().map(String::as_str));
        args.push(&script);
        let mut wait = Duration::from_secs(1);
        loop {
            match once("sbatch", &args) {
                // `NUMBER`, or `NUMBER;CLUSTER`.
                Ok(text) => {
                    let number = text.trim().split(';').next().and_then(|number| number.parse().ok());
                    let strange = || Error::Refused { command: "sbatch".to_owned(), message: text.clone() };
                    return number.ok_or_else(strange);
                }
                Err(Trouble::Final(error)) => return Err(error),
                Err(Trouble::Passing(message)) => {
                    if begun.elapsed() + wait > self.patience {
                        return Err(Error::Silent { message });
                    }
                    std::thread::sleep(wait);
                    let rest = Self { patience: self.patience.saturating_sub(begun.elapsed()) };
                    if let Some(&job) = rest.named(&[name])?.get(name) {
                        return Ok(job);
                    }
                }
            }
            wait = (2 * wait).min(Duration::from_secs(10));
        }
    }

    /// Cancels jobs.
    pub fn cancel(&self, jobs: &[u64]) -> Result<(), Error> {
        let jobs: Vec<String> = jobs.iter().map(u64::to_string).collect();
        let args: Vec<&str> = jobs.iter().map(String::as_str).collect();
        match self.ask("scancel", &args) {
            // A job that ended meanwhile needs no cancelling.
            Err(Error::Refused { message, .. }) if unknown_job(&message) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// The most elements that an array may have.
    pub fn max_array(&self) -> Result<usize, Error> {
        let text = self.ask("scontrol", &["show", "config"])?;
        let value = text.lines().find_map(|line| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == "MaxArraySize").then(|| value.trim().parse::<usize>().ok())?
        });
        // The default of Slurm, of which one is for the job itself.
        Ok(value.unwrap_or(1001).max(1))
    }
}

/// Whether Slurm says that it does not know a job.
pub(super) fn unknown_job(message: &str) -> bool {
    message.to_lowercase().contains("invalid job id")
}

fn once(program: &str, args: &[&str]) -> Result<String, Trouble> {
    let mut command = Command::new(program);
    command.args(args).env("LC_ALL", "C");
    for (name, _) in std::env::vars_os() {
        if disturbs(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(Trouble::Final(Error::NoSlurm { command: program.to_owned() }));
        }
        Err(e) => {
            let command = program.to_owned();
            return Err(Trouble::Final(Error::Refused { command, message: e.to_string() }));
        }
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let message = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    if PASSING.iter().any(|passing| message.to_lowercase().contains(passing)) {
        return Err(Trouble::Passing(message));
    }
    let message = if message.is_empty() { output.status.to_string() } else { message };
    Err(Trouble::Final(Error::Refused { command: program.to_owned(), message }))
}
