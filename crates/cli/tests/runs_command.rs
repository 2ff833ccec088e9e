//! `creditscope runs`: what it prints is what the run directories hold.

mod common;

use common::{creditscope, program, recipe, text};
use record::series::PARTICIPATION_RATIO;
use record::{Measured, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};

const RECIPE: &str = "
name = 'tiny'
data.name = 'digits'
net.d = 16
net.blocks = 2
rule.name = ['bp', 'dfa']
train.epochs = 3
eval.samples = 64
audit.samples = 40
audit.draws = 3
seed = [1, 2]
";

/// Trains the recipe into `out`; runs that stop are welcome.
fn train(out: &Path, more: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = recipe(folder.path(), RECIPE);
    let output =
        program().arg("run").arg(&recipe).arg("--out").arg(out).args(more).output().expect("it starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
}

/// Exit code, standard output, standard error.
fn runs(args: &[&str]) -> (i32, String, String) {
    let output = creditscope(&[&["runs"], args].concat());
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The words of the line that begins with `name`.
fn row<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.split("  ").next() == Some(name));
    line.unwrap_or_else(|| panic!("no line {name} in\n{text}")).split_whitespace().collect()
}

/// Whether a printed number is this one: two digits are shown, so it may be off by a twentieth.
fn reads(word: &str, x: f64) -> bool {
    word.parse::<f64>().is_ok_and(|y| (x - y).abs() <= 0.051 * x.abs())
}

/// Whether a printed share or cosine is this one, to its three digits.
fn reads_share(word: &str, x: f64) -> bool {
    word.parse::<f64>().is_ok_and(|y| (x - y).abs() <= 5.001e-4)
}

/// Puts text in place of other text in a file of a run.
fn edit(file: PathBuf, from: &str, to: &str) {
    let text = std::fs::read_to_string(&file).expect("the file is there");
    assert!(text.contains(from), "{from} in {text}");
    std::fs::write(file, text.replacen(from, to, 1)).expect("it can be written");
}

#[test]
fn a_list_has_a_line_for_every_run_with_its_last_measurements() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &[]);
    let (code, table, err) = runs(&["list", &shown(folder.path())]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, json, _) = runs(&["list", &shown(folder.path()), "--json"]);
    let objects: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 4);
    for (id, object) in ["bp-s1", "bp-s2", "dfa-s1", "dfa-s2"].into_iter().zip(objects) {
        let run = Run::read(&folder.path().join(id)).expect("a run");
        let last = run.last().expect("an epoch");
        // The gradient of the mean over 128 samples is that of a sample divided by 128.
        let g = last.evaluation.gradient()[2] / 128.0;
        let (rule, seed) = id.split_once("-s").expect("rule and seed");
        let words = row(&table, id);
        assert_eq!(words[..3], [id, "finished", "3/3"]);
        assert!(
            reads_share(words[3], last.test.accuracy) && reads(words[4], last.evaluation.growth),
            "{words:?}"
        );
        assert!(reads(words[5], g), "{words:?} {g}");
        // What the runs share is not said of each; what they differ in is.
        let differing = object["recipe"].as_object().expect("an object");
        assert_eq!(differing.keys().collect::<Vec<_>>(), ["rule.name", "seed"]);
        assert_eq!(differing["rule.name"], rule);

        assert_eq!((&object["id"], &object["rule"]), (&id.into(), &rule.into()));
        assert_eq!(object["path"], shown(&run.path));
        assert_eq!(object["seed"].to_string(), seed);
        assert_eq!((&object["status"], &object["epoch"]), (&"finished".into(), &3.into()));
        assert_eq!(object["test_accuracy"], last.test.accuracy);
        assert_eq!(object["growth"], last.evaluation.growth);
        assert_eq!(object["g_last_n128"], g);
        assert_eq!(object["recipe_hash"], run.record.provenance.recipe_hash);
        assert_eq!(object["data_hash"], run.record.provenance.data_hash);
    }
}

#[test]
fn a_broken_run_is_listed_with_its_problem_and_hides_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &[]);
    let damaged = folder.path().join("bp-s1");
    std::fs::write(damaged.join("run.json"), "{\"schema\": ").expect("written");
    edit(folder.path().join("bp-s2/run.json"), "creditscope.run/1", "creditscope.run/9");
    edit(folder.path().join("dfa-s1/metrics.jsonl"), "\"epoch\":1", "\"epoch\":\"one\"");
    let (code, table, err) = runs(&["list", &shown(folder.path())]);
    assert_eq!(code, 0);
    assert!(err.contains("3 of 4 runs"), "{err}");
    assert_eq!(row(&table, "dfa-s2")[1], "finished");
    // A note may run over several lines; those after the first are indented.
    let joined = table.replace("\n  ", " ");
    for (id, word) in
        [("bp-s1", "run.json"), ("bp-s2", "creditscope.run/9"), ("dfa-s1", "metrics.jsonl: line 2")]
    {
        assert_eq!(row(&table, id)[1], "unreadable");
        let note = joined.lines().find(|line| line.starts_with(&format!("{id} cannot be read: ")));
        assert!(note.is_some_and(|note| note.contains(word)), "{table}");
    }
    let (_, json, _) = runs(&["list", &shown(folder.path()), "--json"]);
    let first: Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert!(first["problem"].as_str().is_some_and(|problem| problem.contains("remove the run directory")));

    // Asked for the broken one itself, there is nothing to show.
    for action in ["list", "show"] {
        let (code, _, err) = runs(&[action, &shown(&damaged)]);
        assert_eq!(code, 2);
        assert!(err.contains("bp-s1"), "{err}");
    }
    std::fs::remove_file(folder.path().join("dfa-s2/recipe.toml")).expect("removed");
    let (code, _, err) = runs(&["show", &shown(&folder.path().join("dfa-s2"))]);
    assert_eq!(code, 2);
    assert!(err.contains("recipe.toml") && err.contains("restore"), "{err}");
}

#[test]
fn paths_without_runs_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let (missing, empty) = (folder.path().join("missing"), folder.path().join("empty"));
    std::fs::create_dir(&empty).expect("created");
    for (path, words) in [(&missing, "does not exist"), (&empty, "holds no run"), (&file, "is a file")] {
        let path = shown(path);
        for args in [vec!["list", &path], vec!["show", &path], vec!["diff", &path, &path]] {
            let (code, out, err) = runs(&args);
            assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
            assert!(err.contains(&path) && err.contains(words) && err.contains("give"), "{err}");
        }
    }
}

#[test]
fn a_stopped_run_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--rules", "dfa", "--seeds", "1", "--set", "optim.lr=100000"]);
    let run = Run::read(&folder.path().join("dfa-s1")).expect("a run");
    let record::Status::Stopped { reason, .. } = &run.record.status else {
        panic!("not stopped: {:?}", run.record.status)
    };
    let (code, table, _) = runs(&["list", &shown(folder.path())]);
    assert_eq!((code, row(&table, "dfa-s1")[1]), (0, "stopped"));
    assert!(table.replace("\n  ", " ").ends_with(&format!("dfa-s1 was stopped: {reason}\n")), "{table}");
    let (code, text, _) = runs(&["show", &shown(&run.path)]);
    assert_eq!(code, 0);
    assert!(text.lines().next().is_some_and(|line| line.ends_with(reason.as_str())), "{text}");
}

#[test]
fn a_run_is_shown_with_its_origin_recipe_and_layers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--rules", "dfa", "--seeds", "2"]);
    let path = folder.path().join("dfa-s2");
    let run = Run::read(&path).expect("a run");
    let (code, text, err) = runs(&["show", &shown(&path)]);
    assert_eq!((code, err.as_str()), (0, ""));
    let from = &run.record.provenance;
    for fact in [&from.version, &from.recipe_hash, &from.data_hash, &from.machine.cpu] {
        assert!(text.contains(fact.as_str()), "{fact} in\n{text}");
    }
    // What the recipe at the top sets, and not one key more.
    let keys: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("recipe "))
        .skip(2)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    // `data.name = 'digits'` is the default.
    let set = [
        "name",
        "net.d",
        "net.blocks",
        "rule.name",
        "train.epochs",
        "eval.samples",
        "audit.samples",
        "audit.draws",
        "seed",
    ];
    assert_eq!(keys, set, "{text}");
    assert_eq!(row(&text, "net.d"), ["net.d", "16", "256"]);

    let e = &run.last().expect("an epoch").evaluation;
    for (unit, l) in [("embed", 0), ("block 0", 1), ("block 1", 2)] {
        // Columns for which a line has no room follow in a second table.
        let rows = text.lines().filter(|line| line.starts_with(unit));
        let name = unit.split(' ').count();
        let numbers: Vec<&str> = rows.flat_map(|line| line.split_whitespace().skip(name)).collect();
        assert_eq!(numbers[0], format!("h_{l}"));
        for (word, x) in numbers[1..].iter().zip([e.hidden()[l], e.gradient()[l] / 128.0, e.credit()[l]]) {
            assert!(reads(word, x), "{word} for {x} in\n{text}");
        }
        let cosines = [e.cosine().get(l), l.checked_sub(1).and_then(|block| e.cosine_at_input().get(block))];
        for (word, cosine) in numbers[4..].iter().zip(cosines.into_iter().flatten()) {
            let Measured::Defined { value } = *cosine else { panic!("{cosine:?}") };
            assert!(reads_share(word, value), "{word} for {value} in\n{text}");
        }
        // Every series has its column; the embedding has no cosine at its input.
        assert_eq!(numbers.len(), 1 + e.series.len() - usize::from(l == 0), "{text}");
        let ratio = e.values(&PARTICIPATION_RATIO)[l].value().expect("a state that varies");
        assert!(reads(numbers[if l == 0 { 5 } else { 6 }], ratio), "{ratio} in\n{text}");
    }

    let (_, json, _) = runs(&["show", &shown(&path), "--json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let file = std::fs::read_to_string(path.join("run.json")).expect("run.json");
    assert_eq!(json["record"], serde_json::from_str::<Value>(&file).expect("JSON"));
    assert_eq!(json["recipe"]["train.epochs"], 3);
    let lines = std::fs::read_to_string(path.join("metrics.jsonl")).expect("metrics");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(json["epochs"], Value::from(lines));
}

#[test]
fn an_unreliable_cosine_is_marked_and_infinity_is_no_fault() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--rules", "bp", "--seeds", "1"]);
    let path = folder.path().join("bp-s1");
    let mut last = Run::read(&path).expect("a run").epochs.pop().expect("an epoch");
    last.evaluation.growth = f64::INFINITY;
    let mut set = |name: &str, index: usize, value: Measured| {
        last.evaluation.series.get_mut(name).expect("a series").values[index] = value;
    };
    set("cosine", 2, Measured::Unreliable { value: 0.25, why: record::Why::ReferenceBelowFloor });
    set("cosine_at_input", 1, Measured::Undefined { why: record::Why::NotFinite });
    std::fs::write(path.join("metrics.jsonl"), serde_json::to_string(&last).expect("JSON") + "\n")
        .expect("written");
    let (code, text, _) = runs(&["show", &shown(&path)]);
    assert_eq!((code, &row(&text, "block 1")[6..8]), (0, &["(.250)", "–"][..]));
    // A note may run over several lines; those after the first are indented.
    let joined = text.replace("\n    ", " ");
    let notes: Vec<&str> = joined.lines().rev().take(2).collect();
    assert!(notes.iter().any(|note| note.starts_with("( )") && note.contains("cosine at block 1")), "{text}");
    assert!(
        notes.iter().any(|note| note.starts_with('–') && note.contains("cosine_at_input at block 1")),
        "{text}"
    );
    let (_, json, _) = runs(&["list", &shown(&path), "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON")["growth"], "inf");
}

#[test]
fn a_difference_names_what_differs_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--seeds", "1", "--threads", "1"]);
    let [a, b] = ["bp-s1", "dfa-s1"].map(|id| folder.path().join(id));
    let (code, text, err) = runs(&["diff", &shown(&a), &shown(&b)]);
    assert_eq!((code, err.as_str()), (0, ""));
    let differing: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("differs"))
        .skip(2)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(differing, ["rule.name"], "{text}");
    let [last_a, last_b] =
        [&a, &b].map(|path| Run::read(path).expect("a run").epochs.pop().expect("an epoch"));
    let words = row(&text, "test accuracy");
    let (x, y) = (last_a.test.accuracy, last_b.test.accuracy);
    for (word, x) in words[2..].iter().zip([x, y, y - x]) {
        assert!(word.parse::<f64>().is_ok_and(|shown| (shown - x).abs() <= 5e-5), "{word} for {x}");
    }
    assert!(!text.contains("byte"), "nothing is promised of two recipes:\n{text}");
}

#[test]
fn equal_recipes_must_give_equal_results_and_the_first_breach_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, second] = ["one", "two"].map(|name| folder.path().join(name));
    let run = ["--rules", "bp", "--seeds", "1", "--threads"];
    train(&first, &[&run[..], &["1"]].concat());
    train(&second, &[&run[..], &["2"]].concat());
    let (a, b) = (first.join("bp-s1"), second.join("bp-s1"));
    let diff = || runs(&["diff", &shown(&a), &shown(&b)]);
    let (code, text, _) = diff();
    assert_eq!(code, 0);
    assert!(text.ends_with("the results must be equal to the byte, and are.\n"), "{text}");
    assert_eq!(row(&text, "threads"), ["threads", "1", "2"]);

    // A shorter log agrees as far as it goes.
    let metrics = std::fs::read_to_string(b.join("metrics.jsonl")).expect("metrics");
    let start: String = metrics.split_inclusive('\n').take(3).collect();
    std::fs::write(b.join("metrics.jsonl"), start).expect("written");
    let (code, text, _) = diff();
    assert_eq!(code, 0);
    assert!(text.ends_with("and are as far as both go, to epoch 2.\n"), "{text}");

    // One digit is enough.
    let loss = Run::read(&b).expect("a run").epochs[1].test.loss;
    edit(b.join("metrics.jsonl"), &format!("{loss}"), &format!("{}", f64::from_bits(loss.to_bits() + 1)));
    let (code, text, _) = diff();
    assert_eq!(code, 1);
    assert!(text.ends_with("and are NOT: they differ first in epoch 1, test.loss.\n"), "{text}");

    // Another processor may round otherwise, so no promise is broken.
    let cpu = Run::read(&b).expect("a run").record.provenance.machine.cpu;
    edit(b.join("run.json"), &cpu, "abacus");
    let (code, text, _) = diff();
    assert_eq!(code, 0);
    assert!(text.contains("need not be equal") && text.contains("are NOT"), "{text}");
}

/// What is measured beside training is no part of it.
#[test]
fn runs_of_the_same_training_are_held_to_one_another_whatever_they_measured() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, second] = ["one", "two"].map(|name| folder.path().join(name));
    let run = ["--rules", "bp", "--seeds", "1"];
    train(&first, &run);
    let more = [
        "--set",
        "eval.samples=32",
        "--set",
        "audit.every=0",
        "--set",
        "name=again",
        "--set",
        "train.stop_after=2",
    ];
    train(&second, &[&run[..], &more].concat());
    let (a, b) = (first.join("bp-s1"), second.join("bp-s1"));
    let diff = || runs(&["diff", &shown(&a), &shown(&b)]);
    let (code, text, _) = diff();
    assert_eq!(code, 0, "{text}");
    let ending = "the losses, accuracies and drifts must be equal to the byte, and are as far as both go, to epoch 2.\n";
    assert!(text.ends_with(ending), "{text}");
    let loss = Run::read(&b).expect("a run").epochs[1].test.loss;
    edit(b.join("metrics.jsonl"), &format!("{loss}"), &format!("{}", f64::from_bits(loss.to_bits() + 1)));
    let (code, text, _) = diff();
    assert_eq!(code, 1);
    assert!(text.ends_with("and are NOT: they differ first in epoch 1, test.loss.\n"), "{text}");
    // Another arithmetic may give other bytes.
    edit(b.join("run.json"), "\"numerics\": [\n      1", "\"numerics\": [\n      7");
    let (code, text, _) = diff();
    assert_eq!(code, 0);
    assert!(text.contains("numerics or processor differ") && text.contains("are NOT"), "{text}");
}

#[test]
fn a_folder_of_runs_is_not_a_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--seeds", "1"]);
    let (code, _, err) = runs(&["show", &shown(folder.path())]);
    assert_eq!(code, 2);
    assert!(err.contains("one of the 2 in it") && err.contains("bp-s1"), "{err}");
}
