//! `creditscope runs show`: one run with its origin, recipe and layers.

use crate::made::{reads, reads_share, row, runs, shown, train};
use record::series::PARTICIPATION_RATIO;
use record::{Measured, Run};
use serde_json::Value;

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
    set("cosine", 2, Measured::Unreliable { value: 0.25, why: record::Why::PrecisionsDisagree });
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
fn a_folder_of_runs_is_not_a_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--seeds", "1"]);
    let (code, _, err) = runs(&["show", &shown(folder.path())]);
    assert_eq!(code, 2);
    assert!(err.contains("one of the 2 in it") && err.contains("bp-s1"), "{err}");
}
