//! The paper's own scripts, unchanged, on an exported folder: they run exactly where the report says so.
//!
//! Wants `CREDITSCOPE_SEEDS`, the folder with the scripts, and `CREDITSCOPE_PYTHON`, a Python with matplotlib.

use crate::made::{cifar, run, with};
use paper::{Report, export};
use record::{Run, Status};
use std::path::{Path, PathBuf};
use std::process::Command;

fn tools() -> (PathBuf, PathBuf) {
    let get = |name| std::env::var_os(name).map(PathBuf::from).expect("it was there at build time");
    (get("CREDITSCOPE_SEEDS"), get("CREDITSCOPE_PYTHON"))
}

/// Runs every script of the report; it succeeds and leaves its picture where the report says that it can run.
fn hold_against(report: &Report, out: &Path, (seeds, python): &(PathBuf, PathBuf)) {
    for needs in &report.missing {
        let picture = match needs.script {
            "fig1_audit_hero.py" => "paper/figures/fig1_audit_hero.png",
            "fig3b_crossarch.py" => "paper/figures/fig3b_crossarch_3row.png",
            "fig4_penalty_rescue.py" => "paper/figures/fig4_penalty_rescue.pdf",
            "temporal_penalty_vs_vanilla.py" => "results/protocol_audit/figure_penalty_lambda_sweep.png",
            "cifar_plots.py" => "report/cifar_summary.png",
            other => panic!("{other} is not a script of the paper"),
        };
        let mut command = Command::new(python);
        command.arg(seeds.join(needs.script)).current_dir(out).env("REPO_ROOT", out);
        let ended = command.output().unwrap();
        let error = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.success(), needs.can_run(), "{needs}\n{error}");
        let size = std::fs::metadata(out.join(picture)).map_or(0, |file| file.len());
        assert_eq!(size > 1000, needs.can_run(), "{picture} has {size} bytes");
    }
}

fn can_run(report: &Report) -> Vec<bool> {
    report.missing.iter().map(|needs| needs.can_run()).collect()
}

fn penalty_runs() -> Vec<Run> {
    let penalty = |lambda: f64| with(cifar("dfa", (256, 4), 42, 3), "rule.penalty", lambda);
    let mut vanilla = cifar("dfa", (256, 4), 42, 6);
    // As real ones are: a run that blew up and was stopped.
    crate::made::set(&mut vanilla.epochs[6], &record::series::HIDDEN, 4, f64::INFINITY);
    vanilla.record.status = Status::Stopped { reason: "the loss is not finite".into(), epoch: 6, step: 1 };
    vec![vanilla, penalty(0.001), penalty(0.01)]
}

#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn penalty_scripts_run_unchanged() {
    let tools = tools();
    let out = tempfile::tempdir().unwrap();
    let report = export(&penalty_runs(), out.path()).unwrap();
    assert_eq!(can_run(&report), [true, false, true, true, false]);
    hold_against(&report, out.path(), &tools);
}

#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn vanilla_alone_serves_one_of_them() {
    let tools = tools();
    let out = tempfile::tempdir().unwrap();
    let report = export(&penalty_runs()[..1], out.path()).unwrap();
    assert_eq!(can_run(&report), [true, false, false, true, false]);
    hold_against(&report, out.path(), &tools);
}

#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn the_table_asks_for_no_more_than_the_scripts_do() {
    let tools = tools();
    let out = tempfile::tempdir().unwrap();
    let mut runs = penalty_runs();
    for rule in ["bp", "fa", "dfa"] {
        runs.push(with(cifar(rule, (256, 4), 42, 2), "net.out_ln", false));
        runs.push(run(rule, "teacher", "student", (128, 4), 42, 2));
        runs.push(run(rule, "cifar10", "vit", (128, 4), 42, 2));
    }
    for rule in ["bp", "fa", "dfa", "state_bridge", "credit_bridge"] {
        runs.extend([42, 123, 456].map(|seed| cifar(rule, (512, 12), seed, 2)));
    }
    let report = export(&runs, out.path()).unwrap();
    assert_eq!(can_run(&report), [true; 5], "{:?}", report.missing);
    hold_against(&report, out.path(), &tools);
}

/// All five, on the records of the study that is kept with the sources.
#[test]
#[cfg_attr(not(with_scripts), ignore = "set CREDITSCOPE_SEEDS to the paper's scripts and CREDITSCOPE_PYTHON")]
fn all_scripts_run_unchanged_on_the_kept_records() {
    let tools = tools();
    let out = tempfile::tempdir().unwrap();
    let kept = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
    let runs: Vec<Run> =
        record::find_runs(kept).unwrap().iter().map(|path| Run::read(path).unwrap()).collect();
    let report = export(&runs, out.path()).unwrap();
    assert_eq!(can_run(&report), [true; 5], "{:?}", report.missing);
    hold_against(&report, out.path(), &tools);
}
