//! `creditscope selftest`: breaks credit on purpose and shows that the audit notices.

mod judge;

use crate::args::{Selftest, Verbosity};
use crate::call::{Call, Host};
use crate::failure::Failure;
use crate::show;
use judge::{Judged, judge};
use lab::selftest::{Case, cases, train_cases};
use record::audit::AuditSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

pub(crate) fn run(args: &Selftest, call: Call<'_>) -> Result<(), Failure> {
    let begun = Instant::now();
    let cases = cases(args.seed)?;
    // Removed at the end, however it ends, unless the user wants to look.
    let scratch = if args.out.is_none() { Some(scratch()?) } else { None };
    let out = args.out.as_deref().or(scratch.as_ref().map(tempfile::TempDir::path)).unwrap_or(Path::new("."));
    let note = |text: String| {
        if call.verbosity > Verbosity::Quiet && !args.json {
            show::print(&format!("{text}\n"));
        }
    };
    let healthy = cases.iter().filter(|case| case.planted.is_none()).count();
    note(format!("Training {} small runs, {healthy} of them healthy …", cases.len()));
    train_cases(&cases, out, call.interrupt)?;
    note(
        "Auditing their directories in another process, which does not know what was planted …\n".to_owned(),
    );
    let set = audited(out, call.host)?;
    let judged: Vec<Judged> = cases.iter().map(|case| judge(case, &set)).collect();
    if args.json {
        show::print(&judge::json(&cases, &judged));
    } else if call.verbosity > Verbosity::Quiet {
        show::print(&list(&cases, &judged));
    }
    let missed = judged.iter().filter(|judged| !judged.right).count();
    note(show::wrap(&summary(&cases, &judged, begun.elapsed()), 0));
    if let Some(kept) = &args.out {
        note(format!("The runs are in {}.", kept.display()));
    }
    if missed == 0 { Ok(()) } else { Err(Failure::DidNotHold) }
}

fn scratch() -> Result<tempfile::TempDir, Failure> {
    let made = tempfile::Builder::new().prefix("creditscope-selftest-").tempdir();
    made.map_err(|e| Failure::Input(format!("cannot make a temporary folder: {e}: give one with --out")))
}

/// The audit of all runs below a folder, by a process of its own that sees nothing but the directories.
fn audited(out: &Path, host: Host<'_>) -> Result<AuditSet, Failure> {
    let broken = |problem: String| Failure::Internal(format!("the audit of the self-test failed: {problem}"));
    let mut program = host.command().map_err(|e| broken(e.to_string()))?;
    let output = program
        .arg("audit")
        .arg(out)
        .args(["--json", "--quiet", "--samples", "128", "--directions", "8"])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| broken(e.to_string()))?;
    if !output.status.success() {
        return Err(broken(output.status.to_string()));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| broken(e.to_string()))
}

/// What was planted and, below it, what was found; healthy runs only where one was accused.
fn list(cases: &[Case], judged: &[Judged]) -> String {
    let mut rows: Vec<(&Case, &Judged)> =
        cases.iter().zip(judged).filter(|(case, judged)| case.planted.is_some() || !judged.right).collect();
    rows.sort_by_key(|(case, _)| record::rules::place(case.rule));
    let row = |(case, judged): (&Case, &Judged)| {
        let mark = if judged.right { "✓" } else { "✗" };
        let planted =
            case.planted.map_or_else(|| format!("nothing ({})", case.id), |planted| planted.words());
        let found = show::hanging(&format!("→ {}", judged.found), 6, 8);
        format!("{mark} {:<4}{planted}\n{found}\n", case.rule)
    };
    rows.into_iter().map(row).collect::<String>() + "\n"
}

fn summary(cases: &[Case], judged: &[Judged], time: std::time::Duration) -> String {
    let count = |broken: bool, right: bool| {
        cases.iter().zip(judged).filter(|(c, j)| c.planted.is_some() == broken && j.right == right).count()
    };
    format!(
        "{} of {} planted faults named, {} false alarms in {} healthy runs, {}.",
        count(true, true),
        count(true, true) + count(true, false),
        count(false, false),
        count(false, true) + count(false, false),
        show::duration(time)
    )
}
