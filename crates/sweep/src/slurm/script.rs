//! The batch script of a submission, and the options of sbatch that a user adds.

use crate::{Error, Folder, Manifest};
use std::path::Path;

/// Options that would take from the sweep what it needs.
const RESERVED: [(&str, &str); 9] = [
    ("--array", "the shards are the array"),
    ("-a", "the shards are the array"),
    ("--job-name", "by its name a job is found whose number was lost"),
    ("-J", "by its name a job is found whose number was lost"),
    ("--wrap", "the script is the sweep's own"),
    (
        "--no-requeue",
        "a requeued shard goes on where it stopped, and one that may not be requeued is lost with its node",
    ),
    ("--parsable", "the answer is read already"),
    ("--wait", "submitting returns at once; ask for the state instead"),
    ("-W", "submitting returns at once; ask for the state instead"),
];

/// Refuses options that would break the sweep.
pub(crate) fn check_options(options: &[String]) -> Result<(), Error> {
    for option in options {
        let name = option.split('=').next().unwrap_or(option);
        let joined = |flag: &str| {
            flag.len() == 2 && option.len() > 2 && option.starts_with(flag) && !option.starts_with("--")
        };
        if let Some((_, why)) = RESERVED.iter().find(|(flag, _)| *flag == name || joined(flag)) {
            return Err(Error::Option { option: option.clone(), why });
        }
    }
    Ok(())
}

/// The value of an option, by its long or short name; the last one counts.
fn value<'a>(options: &'a [String], long: &str, short: Option<&str>) -> Option<&'a str> {
    let mut found = None;
    for (i, option) in options.iter().enumerate() {
        let next = || options.get(i + 1).map(String::as_str);
        if option == long || Some(option.as_str()) == short {
            found = next();
        } else if let Some(value) = option.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
            found = Some(value);
        } else if let Some(value) = short.and_then(|short| option.strip_prefix(short)) {
            found = Some(value);
        }
    }
    found
}

/// Cores per element that the options ask for.
pub(crate) fn cores(options: &[String]) -> usize {
    value(options, "--cpus-per-task", Some("-c")).and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The memory that the options ask for, as they say it.
pub(crate) fn memory(options: &[String]) -> Option<String> {
    let by_core = || Some(format!("{} per core", value(options, "--mem-per-cpu", None)?));
    value(options, "--mem", None).map(str::to_owned).or_else(by_core)
}

/// Options as lines of a script: one option per line, with its value.
fn lines(options: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for option in options {
        let word = if option.contains([' ', '\t', '"', '\'']) {
            format!("\"{}\"", option.replace('"', "\\\""))
        } else {
            option.clone()
        };
        match lines.last_mut() {
            Some(line) if !option.starts_with('-') => line.extend([" ", &word]),
            _ => lines.push(word),
        }
    }
    lines
}

/// What a script is made of.
pub(crate) struct Script<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) folder: &'a Folder,
    pub(crate) number: u64,
    pub(crate) shards: usize,
    pub(crate) runs: usize,
    pub(crate) throttle: Option<usize>,
    pub(crate) options: &'a [String],
    /// The worker's own options.
    pub(crate) worker: &'a str,
}

/// The text of the script.
pub(crate) fn script(of: &Script<'_>) -> String {
    let Script { manifest, folder, number, shards, runs, throttle, options, worker } = of;
    let throttle = throttle.map_or_else(String::new, |most| format!("%{most}"));
    let options: String = lines(options).iter().map(|line| format!("#SBATCH {line}\n")).collect();
    format!(
        "#!/bin/bash\n\
         # Sweep {name} ({sweep}), submission {number}: {runs} runs; its shards ({shards}) are the lines of\n\
         # {lists}.\n\
         # A shard that starts again goes on where it stopped; one that is started twice does no harm.\n\
         #SBATCH --job-name={job}\n\
         #SBATCH --array=0-{last}{throttle}\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output={logs}\n\
         #SBATCH --signal=B:TERM@120\n\
         {options}\
         # exec: the program receives the signals itself, saves and leaves.\n\
         exec {program} sweep work {root} --shard \"{number}-$SLURM_ARRAY_TASK_ID\" --cores \"${{SLURM_CPUS_PER_TASK:-1}}\"{worker}\n",
        name = manifest.name,
        sweep = manifest.sweep,
        lists = folder.shards(*number).display(),
        job = manifest.job_name(*number),
        last = shards - 1,
        logs = quoted_value(&folder.logs().join("%A_%a.log")),
        program = quoted(&folder.program()),
        root = quoted(folder.root()),
    )
}

/// A path in the value of an #SBATCH line.
fn quoted_value(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains([' ', '\t']) { format!("\"{text}\"") } else { text }
}

/// A path as a word of the shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_would_break_the_sweep_is_refused_and_the_rest_passes() {
        for bad in [
            "--array=0-3",
            "--array 0-3",
            "-a 0-3",
            "-a0-3",
            "--no-requeue",
            "-J x",
            "-Jx",
            "--wrap=true",
            "-W",
        ] {
            assert!(check_options(&words(bad)).is_err(), "{bad}");
        }
        for good in ["-p gpu --account=x", "--mem=2G -t 1:00:00 -c 4", "--acctg-freq=1", "--job-name-like"] {
            assert!(check_options(&words(good)).is_ok(), "{good}");
        }
    }

    #[test]
    fn cores_memory_and_lines_are_read_off_the_options() {
        for (text, expected) in [
            ("-c 4", 4),
            ("-c4", 4),
            ("--cpus-per-task=8 -p x", 8),
            ("--cpus-per-task 2", 2),
            ("-p c", 1),
            ("", 1),
        ] {
            assert_eq!(cores(&words(text)), expected, "{text}");
        }
        assert_eq!(memory(&words("-p x --mem=2G")).as_deref(), Some("2G"));
        assert_eq!(memory(&words("--mem-per-cpu=2G")).as_deref(), Some("2G per core"));
        assert_eq!(memory(&words("-p x")), None);
        let options = ["-p", "gpu", "--comment=two words", "-t", "1:00"].map(str::to_owned);
        assert_eq!(lines(&options), ["-p gpu", "\"--comment=two words\"", "-t 1:00"]);
    }
}
