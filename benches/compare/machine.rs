//! The machine and the versions that were compared.

use crate::bench::{Bench, no_python};
use serde_json::{Value, json};
use std::process::Command;

/// What the numbers depend on besides the code.
#[derive(Debug)]
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    memory: f64,
    kernel: String,
    load: String,
    rustc: String,
    ours: String,
    /// Versions of Python and its packages, and the date.
    python: Value,
}

/// Prints versions; torch is required, the others may be missing.
const VERSIONS: &str = "
import datetime, importlib.metadata, json, platform
import torch
def version(name):
    try: return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError: return None
names = ('numpy', 'matplotlib', 'safetensors')
print(json.dumps({'python': platform.python_version(), 'torch': torch.__version__, **{n: version(n) for n in names},
    'date': datetime.datetime.now(datetime.timezone.utc).date().isoformat()}))
";

impl Machine {
    /// Reads all of it; an error if Python has no torch.
    pub(crate) fn look(bench: &Bench) -> Result<Self, String> {
        let path = bench.python.display();
        let output = Command::new(&bench.python).args(["-c", VERSIONS]).output();
        let output = output
            .map_err(|error| no_python(&format!("CREDITSCOPE_PYTHON={path} does not start: {error}")))?;
        let python = serde_json::from_slice(&output.stdout).map_err(|_| {
            let why = String::from_utf8_lossy(&output.stderr);
            no_python(&format!("{path}: {}", why.lines().last().unwrap_or("no answer").trim()))
        })?;
        let unknown = || "unknown".to_owned();
        Ok(Self {
            cpu: entry("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: bench.cores,
            memory: entry("/proc/meminfo", "MemTotal")
                .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
                .map_or(f64::NAN, |kib| kib / f64::from(1 << 20)),
            kernel: file("/proc/sys/kernel/osrelease")
                .map_or_else(|| std::env::consts::OS.to_owned(), |release| format!("Linux {release}")),
            load: file("/proc/loadavg")
                .and_then(|text| Some(text.split(' ').next()?.to_owned()))
                .unwrap_or_else(unknown),
            rustc: printed(Command::new("rustc").arg("--version"))
                .unwrap_or_else(|| "rustc unknown".to_owned()),
            ours: printed(&mut bench.ours(&["--version"])).unwrap_or_else(unknown),
            python,
        })
    }

    /// Two lines for the report.
    pub(crate) fn lines(&self) -> Vec<String> {
        let version = |name: &str| self.python[name].as_str().unwrap_or("missing").to_owned();
        vec![
            format!(
                "{}, {} cores, {:.1} GiB of memory, {}; load {} at the start; {}.",
                self.cpu,
                self.cores,
                self.memory,
                self.kernel,
                self.load,
                version("date")
            ),
            format!(
                "{}, {}; Python {}, torch {}, numpy {}, matplotlib {}.",
                self.ours,
                self.rustc,
                version("python"),
                version("torch"),
                version("numpy"),
                version("matplotlib")
            ),
        ]
    }

    /// The same as JSON.
    pub(crate) fn to_json(&self) -> Value {
        let machine = json!({
            "cpu": self.cpu, "cores": self.cores, "memory_gib": (10.0 * self.memory).round() / 10.0,
            "kernel": self.kernel, "load_at_start": self.load,
        });
        json!({ "machine": machine, "rustc": self.rustc, "creditscope": self.ours, "python": self.python })
    }
}

fn file(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The value of a name in a file of `name : value` lines.
fn entry(path: &str, name: &str) -> Option<String> {
    let text = file(path)?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// What a command prints.
fn printed(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
