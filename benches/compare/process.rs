//! Whole processes, from start to end: their seconds, their largest memory, and their output.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often memory is read.
const PAUSE: Duration = Duration::from_millis(10);

/// The result of some processes that ran at the same time.
#[derive(Debug)]
pub(crate) struct Ended {
    /// From the start of the first to the end of the last.
    pub(crate) seconds: f64,
    /// The sum of the largest resident memories of the processes and their children, in MB.
    pub(crate) memory: f64,
    /// Standard output of each.
    pub(crate) outputs: Vec<String>,
}

/// Runs one process.
pub(crate) fn run(command: Command) -> Result<Ended, String> {
    run_together(vec![command])
}

/// Runs processes concurrently; an error if one of them fails.
pub(crate) fn run_together(mut commands: Vec<Command>) -> Result<Ended, String> {
    for command in &mut commands {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }
    let begun = Instant::now();
    let mut children = Vec::new();
    for command in &mut commands {
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                children.iter_mut().for_each(stop);
                return Err(format!("cannot start {command:?}: {error}"));
            }
        }
    }
    let roots: Vec<u32> = children.iter().map(Child::id).collect();
    let over = AtomicBool::new(false);
    let (waited, seconds, memory) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| watch(&roots, &over));
        let waited: Vec<_> = children.into_iter().map(Child::wait_with_output).collect();
        let seconds = begun.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
        (waited, seconds, watch.join().unwrap_or(f64::NAN))
    });
    let mut outputs = Vec::new();
    for (command, output) in commands.iter().zip(waited) {
        let output = output.map_err(|error| error.to_string())?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let last = errors.lines().last().unwrap_or("without a message");
            return Err(format!("{}: {}, {last}", command.get_program().to_string_lossy(), output.status));
        }
        outputs.push(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Ok(Ended { seconds, memory, outputs })
}

fn stop(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// The sum of the largest memories of the processes, in MB. The kernel keeps the maximum itself, so reading it now and then
/// misses only the last moment.
fn watch(roots: &[u32], over: &AtomicBool) -> f64 {
    let mut largest = BTreeMap::new();
    while !over.load(Ordering::Relaxed) {
        let mut open = roots.to_vec();
        while let Some(pid) = open.pop() {
            if let Some(kib) = high_water(pid) {
                largest.insert(pid, kib);
            }
            open.extend(children(pid));
        }
        std::thread::sleep(PAUSE);
    }
    largest.values().sum::<f64>() / 1e3 * 1.024
}

/// `VmHWM` of a process in KiB.
fn high_water(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn children(pid: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    listed
        .flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}
