//! From the paths of the command line to audits: run directories through `lab`, dump files through `audit`.

use crate::args::{Audit, SAMPLES, Verbosity};
use crate::commands::run::folder;
use crate::commands::runs::find;
use crate::failure::Failure;
use crate::show;
use audit::dump::{DumpOptions, judge_files};
use lab::{AuditOptions, Sweep, audit_runs};
use record::Run;
use std::path::PathBuf;

/// What was judged, and how many run directories could not be read.
pub(super) struct Judged {
    pub(super) sweeps: Vec<Sweep>,
    pub(super) unread: usize,
}

/// The audits of what the command line names.
pub(super) fn measured(args: &Audit, verbosity: Verbosity) -> Result<Judged, Failure> {
    if let Some(absent) = args.paths.iter().find(|path| !path.exists() && !path.is_symlink()) {
        return Err(Failure::Input(format!(
            "{} does not exist: give a run directory, a folder of runs, or a dump file (.npz, .safetensors), or train \
             some runs with `creditscope demo`",
            absent.display()
        )));
    }
    let (files, folders): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| path.is_file());
    match (files.as_slice(), folders.as_slice()) {
        (_, []) => dumps(args, &files),
        ([], _) => runs(args, &folders, verbosity),
        ([file, ..], [folder, ..]) => Err(Failure::Input(format!(
            "{} is a file and {} is not: audit dumps and run directories one after the other",
            file.display(),
            folder.display()
        ))),
    }
}

fn runs(args: &Audit, folders: &[PathBuf], verbosity: Verbosity) -> Result<Judged, Failure> {
    let given = [
        ("--accuracy", args.dumps.accuracy.is_some()),
        ("--frozen-accuracy", args.dumps.frozen_accuracy.is_some()),
        ("--mean-over", args.dumps.mean_over.is_some()),
    ];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::Input(format!("{flag} is for dumps: runs know it themselves, leave it out")));
    }
    let mut runs = Vec::<Run>::new();
    let mut broken = Vec::new();
    for found in find(folders)? {
        match found.run {
            Ok(run) => runs.push(run),
            Err(problem) => broken.push(problem),
        }
    }
    // One that cannot be read is no reason to be silent about the others.
    if runs.is_empty() {
        return Err(Failure::Input(broken.join("\n")));
    }
    broken.iter().for_each(|problem| show::complain!("creditscope: {problem}"));
    let measuring = &args.measuring;
    let options = AuditOptions {
        samples: measuring.samples,
        directions: measuring.directions,
        draws: measuring.draws,
        probe: measuring.probe,
        log_only: measuring.log,
        again: measuring.again,
        mixed: measuring.mixed,
        // What is only read off the log is no news about a run, and its directory may be a kept record.
        save: !measuring.log,
        jobs: measuring.jobs.map(|n| n as usize),
        threads: measuring.threads.map(|n| n as usize),
        ..AuditOptions::new(folder(measuring.data.as_deref())?)
    };
    let bar = show::bar("auditing", runs.len(), verbosity);
    let audited = audit_runs(&runs, &options, &|run| {
        bar.set_message(run.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    let audited = audited?;
    if let Some(problem) = audited.unsaved.first() {
        // An audit has no folder of its own to choose, so the remedy of other commands does not fit.
        let problem = match problem {
            record::Error::Io { path, source, .. } => format!("cannot write {}: {source}", path.display()),
            other => other.to_string(),
        };
        show::complain!(
            "creditscope: audit.json was not saved in {} of the runs: {problem}",
            audited.unsaved.len()
        );
    }
    Ok(Judged { sweeps: audited.sweeps, unread: broken.len() })
}

/// Dump files that name the same rule and seed, or neither, are the epochs of one run, in order.
fn dumps(args: &Audit, files: &[PathBuf]) -> Result<Judged, Failure> {
    let measuring = &args.measuring;
    let given = [("--probe", measuring.probe), ("--log", measuring.log), ("--mixed", measuring.mixed)];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::Input(format!("{flag} is for run directories, not for dumps: leave it out")));
    }
    if measuring.samples != SAMPLES {
        return Err(Failure::Input("a dump is measured on all its samples: leave --samples out".to_owned()));
    }
    let options = DumpOptions {
        accuracy: args.dumps.accuracy,
        frozen: args.dumps.frozen_accuracy,
        mean_over: args.dumps.mean_over,
        directions: measuring.directions,
        draws: measuring.draws,
        ..DumpOptions::default()
    };
    let set = protocol::set(judge_files(files, &options)?);
    Ok(Judged { sweeps: vec![Sweep { differs: Vec::new(), set }], unread: 0 })
}
