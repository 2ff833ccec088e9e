//! Processes of a cluster: killed, or stopped for a while.

use std::process::{Command, Stdio};

/// Kills a process; whether it was there does not matter.
pub(crate) fn kill(process: u32) {
    signal(process, "KILL");
}

fn signal(process: u32, name: &str) {
    let _ = Command::new("kill").args(["-s", name, &process.to_string()]).stderr(Stdio::null()).status();
}

/// Workers that were stopped.
pub(crate) struct Paused(Vec<u32>);

impl Paused {
    pub(crate) fn stop(workers: Vec<u32>) -> Self {
        workers.iter().for_each(|worker| signal(*worker, "STOP"));
        Self(workers)
    }

    /// Whether USR1 waits for one of them, or all have left: Slurm may wake those that it signals.
    pub(crate) fn are_asked_by_usr1(&self) -> bool {
        const USR1: u64 = 1 << (10 - 1);
        let waiting = |process: &u32| u64::from_str_radix(&status_line(*process, "ShdPnd:")?, 16).ok();
        let mut waiting = self.0.iter().filter_map(waiting).peekable();
        waiting.peek().is_none() || waiting.any(|signals| signals & USR1 != 0)
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        self.0.iter().for_each(|worker| signal(*worker, "CONT"));
    }
}

/// The step of a payload: its parent, unless that is the first process.
pub(crate) fn parent(process: u32) -> Option<u32> {
    status_line(process, "PPid:")?.parse().ok().filter(|parent| *parent > 1)
}

fn status_line(process: u32, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1).map(str::to_owned)
}
