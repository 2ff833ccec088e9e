//! `creditscope reproduce`: what is there counts, what is missing is trained, what was not run is said.

mod common;

use common::{metrics, program, text};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

fn reproduce(folder: &Path, args: &[&str]) -> Output {
    program().current_dir(folder).arg("reproduce").args(args).output().expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The runs of `toy-lq` with one of its three seeds.
const RUNS: [&str; 3] = ["dfa-s42", "state_bridge-s42", "credit_bridge-s42"];
const ONE_SEED: [&str; 4] = ["toy-lq", "--quick", "--seeds", "42"];

#[test]
fn nothing_there_is_shown_as_not_run() {
    let folder = folder();
    let output = reproduce(folder.path(), &["main", "--show"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line = shown.lines().find(|line| line.starts_with("accuracy, dfa ")).expect("a line for dfa");
    assert!(line.contains("*not run*") && line.contains("0.306 ± 0.008"), "{line}");
    assert!(shown.contains("main: 0 of 36 runs"), "{shown}");
    assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none(), "nothing is written");
}

#[test]
fn a_finished_run_is_not_trained_again() {
    let folder = folder();
    let first = reproduce(folder.path(), &ONE_SEED);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let runs = folder.path().join("reproduction/quick/toy-lq");
    let written =
        |run: &str| std::fs::metadata(runs.join(run).join("metrics.jsonl")).and_then(|m| m.modified());
    let before: Vec<_> = RUNS.map(|run| written(run).expect("written")).to_vec();
    let second = reproduce(folder.path(), &ONE_SEED);
    let said = text(&second.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("9 runs. 3 are there already. 6 were not asked for."), "{said}");
    assert_eq!(RUNS.map(|run| written(run).expect("written")).to_vec(), before);
    // Records without weights, elsewhere, count as well.
    let kept = folder.path().join("kept");
    for run in RUNS {
        let to = kept.join("toy-lq").join(run);
        std::fs::create_dir_all(&to).expect("a folder");
        for file in ["recipe.toml", "run.json", "metrics.jsonl"] {
            std::fs::copy(runs.join(run).join(file), to.join(file)).expect("a copy");
        }
    }
    let show = ["toy-lq", "--quick", "--show", "--out", "elsewhere", "--results", "kept"];
    let shown = text(&reproduce(folder.path(), &show).stdout);
    assert!(shown.contains("toy-lq: 3 of 9 runs"), "{shown}");
    // But not those of another training.
    let record = kept.join("toy-lq/dfa-s42/run.json");
    let changed = std::fs::read_to_string(&record)
        .expect("a record")
        .replace("\"identity\": \"1:", "\"identity\": \"1:0");
    std::fs::write(&record, changed).expect("written");
    let shown = text(&reproduce(folder.path(), &show).stdout);
    assert!(shown.contains("toy-lq: 2 of 9 runs") && shown.contains("*not run*"), "{shown}");
}

/// Killed later and later until it comes to its end, it ends with the same metrics as one that was left alone.
#[test]
fn a_killed_study_goes_on() {
    let (alone, killed) = (folder(), folder());
    let args = [&ONE_SEED[..], &["--checkpoint-every", "0", "--quiet"]].concat();
    assert!(reproduce(alone.path(), &args).status.success());
    let mut patience = Duration::from_millis(50);
    loop {
        let mut child = program()
            .current_dir(killed.path())
            .arg("reproduce")
            .args(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(patience);
        if let Some(status) = child.try_wait().expect("it can be asked") {
            assert!(status.success(), "{status}");
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        patience = patience.mul_f64(1.5);
    }
    let runs = |folder: &Path, run: &str| folder.join("reproduction/quick/toy-lq").join(run);
    let resumed =
        |run: &str| record::RunRecord::read(&runs(killed.path(), run)).expect("a record").provenance.resumed;
    assert!(RUNS.iter().any(|run| resumed(run) > 0), "a run was under way when it was killed");
    for run in RUNS {
        assert_eq!(metrics(&runs(alone.path(), run)), metrics(&runs(killed.path(), run)), "{run}");
    }
}

/// All studies on small built-in data: every rule, network and figure that they have, from recipe to picture.
#[test]
fn every_study_can_be_tried_quickly() {
    let folder = folder();
    let output = reproduce(folder.path(), &["all", "--quick"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!shown.contains("*not run*"), "{shown}");
    for study in &paper::study::STUDIES {
        let runs = study.recipe(true).and_then(|recipe| recipe.runs()).expect("valid").len();
        assert!(shown.contains(&format!("{}: {runs} of {runs} runs", study.name)), "{}: {shown}", study.name);
        let figures = folder.path().join("reproduction/quick").join(study.name).join("figures");
        for figure in study.figures {
            assert!(figures.join(format!("{figure}.pdf")).is_file(), "{figure} of {}", study.name);
        }
    }
}

#[test]
fn a_study_that_is_not_there_is_named_with_those_that_are() {
    let output = reproduce(folder().path(), &["mian"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("`mian`") && said.contains("main, mechanism, bridges, penalty"), "{said}");
}

#[test]
fn a_record_that_was_cut_short_is_named_and_does_not_count() {
    let folder = folder();
    assert!(reproduce(folder.path(), &[&ONE_SEED[..], &["--quiet"]].concat()).status.success());
    let log = folder.path().join("reproduction/quick/toy-lq/dfa-s42/metrics.jsonl");
    let text_of = std::fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = text_of.split_inclusive('\n').collect();
    std::fs::write(&log, lines[..lines.len() - 1].concat()).expect("written");
    let output = reproduce(folder.path(), &["toy-lq", "--quick", "--show"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("dfa-s42") && said.contains("ends with epoch 1"), "{said}");
}

#[test]
fn a_folder_of_records_that_is_not_there_is_refused() {
    let output = reproduce(folder().path(), &["main", "--show", "--results", "nosuch"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nosuch"), "{}", text(&output.stderr));
}

/// Of two rules one is asked for: it alone is trained, and the other is *not run*.
#[test]
fn only_what_is_asked_for_is_trained() {
    let folder = folder();
    let output = reproduce(folder.path(), &[&ONE_SEED[..], &["--rules", "dfa"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("8 were not asked for.") && shown.contains("toy-lq: 1 of 9 runs"), "{shown}");
    let there: Vec<_> = std::fs::read_dir(folder.path().join("reproduction/quick/toy-lq"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("plain"))
        .filter(|name| RUNS.contains(&name.as_str()))
        .collect();
    assert_eq!(there, ["dfa-s42"]);
}

#[test]
fn a_rule_or_seed_that_a_study_lacks_is_named_with_those_it_has() {
    for (flag, value, has) in [("--rules", "pb", "dfa, state_bridge"), ("--seeds", "43", "42")] {
        let output = reproduce(folder().path(), &["toy-lq", flag, value]);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains(flag) && said.contains(value) && said.contains(has), "{said}");
    }
}

/// Records of several networks whose runs have the same name, saved twice: each once, and none in place of another.
#[test]
fn saved_records_keep_apart() {
    let folder = folder();
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/unclipped");
    let kept = record::find_runs(Path::new(results)).expect("records");
    for run in &kept {
        let to = folder.path().join("kept").join(run.strip_prefix(results).expect("below it"));
        paper::compare::keep(run, &to).expect("a copy");
    }
    let mut from = "kept";
    for _ in 0..2 {
        let args = ["unclipped", "--quiet", "--results", from, "--save", "saved"];
        let output = reproduce(folder.path(), &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let saved = record::find_runs(&folder.path().join("saved/unclipped")).expect("records");
        assert_eq!(saved.len(), kept.len(), "{saved:?}");
        from = "saved";
    }
    let shown = text(&reproduce(folder.path(), &["unclipped", "--show", "--results", "saved"]).stdout);
    assert!(shown.contains(&format!("unclipped: {0} of {0} runs", kept.len())), "{shown}");
}

/// Epochs of first firing and the deep blocks' ρ, taken once more from the kept records.
#[test]
fn what_is_shown_is_what_the_records_say() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results");
    // The Markdown tables have one line per row, however narrow the terminal is.
    let folder = folder();
    let args = ["all", "--show", "--results", results, "--markdown", "tables.md"];
    let output = reproduce(folder.path(), &args);
    let shown = std::fs::read_to_string(folder.path().join("tables.md"));
    let shown = shown.unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    // The page and the figure that are kept are those of the records.
    let docs = Path::new(results).parent().expect("docs");
    let page = std::fs::read_to_string(docs.join("reproduction.md")).expect("a page");
    assert!(page.contains(shown.trim_end()), "docs/reproduction.md is not of the records: write it again");
    let figure =
        |folder: &Path| std::fs::read_to_string(folder.join("figures/reproduction.svg")).expect("a figure");
    assert!(figure(docs) == figure(folder.path()), "docs/figures/reproduction.svg is not of the records");

    let line = |study: &str, quantity: &str| {
        let heading = format!("### {study}:");
        let start = format!("| {quantity}");
        let mut lines = shown.lines().skip_while(|line| !line.starts_with(&heading));
        lines.find(|line| line.starts_with(&start)).expect("a line").to_owned()
    };
    let run = |id: String| record::Run::read(&Path::new(results).join(id)).expect("a record");
    let seeds = [42, 123, 456];
    let first = |fires: fn(&record::Evaluation) -> bool| {
        let of = |seed| {
            run(format!("unclipped/main/dfa-s{seed}")).epochs.iter().position(|e| fires(&e.evaluation))
        };
        seeds.map(|seed| of(seed).expect("it fires").to_string()).join(", ")
    };
    let growth = first(|seen| seen.hidden().windows(2).any(|h| h[1] / h[0] > 50.0));
    assert!(line("unclipped", "D1 from epoch").contains(&growth), "{growth}: {shown}");
    let floor = first(|seen| seen.gradient()[4] / 1024.0 < 1e-7);
    assert!(line("unclipped", "D2 from epoch").contains(&floor), "{floor}: {shown}");

    let rho = |seed: u64| {
        let audit = run(format!("penalty/dfa-pen0.01-s{seed}")).audit().expect("readable").expect("there");
        let units = ["block 1", "block 2", "block 3"].map(|name| {
            let unit = audit.units.iter().find(|unit| unit.unit.to_string() == name).expect("a block");
            unit.at_input.as_ref().and_then(|evidence| evidence.rho?.value.defined()).expect("defined")
        });
        units.iter().sum::<f64>() / 3.0
    };
    let mean = format!("{:.3}", seeds.map(rho).iter().sum::<f64>() / 3.0);
    let line = line("penalty", "ρ, l ≥ 1, dfa, λ=0.01 ");
    assert!(line.contains(&mean), "{mean}: {line}");
}
