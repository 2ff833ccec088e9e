//! Tidy tables: every number of the logs with its standing, and what would be a formula or a code made harmless.

use crate::made::{epoch, run, undefined, unreliable};
use export::{Tidy, named};
use record::Run;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The rows by their columns.
fn csv(runs: &[Run], keys: Vec<&str>) -> Vec<BTreeMap<String, String>> {
    let named = named(runs);
    let text = Tidy::new(&named, keys).csv();
    let mut lines = text.split_terminator("\r\n").map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a heading").collect();
    lines
        .map(|cells| {
            let row: BTreeMap<String, String> = names.iter().cloned().zip(cells).collect();
            assert_eq!(row.len(), names.len());
            row
        })
        .collect()
}

fn value<'a>(rows: &'a [BTreeMap<String, String>], run: &str, series: &str, unit: &str) -> [&'a str; 3] {
    let is = |row: &&BTreeMap<String, String>| {
        row["run"] == run && row["series"] == series && row["unit"] == unit && row["epoch"] == "1"
    };
    let row = rows.iter().find(is).unwrap_or_else(|| panic!("no {series} at `{unit}` of {run}"));
    [&row["value"], &row["state"], &row["layer"]]
}

#[test]
fn every_number_is_a_row_that_says_whether_it_can_be_believed() {
    let runs = [
        run("dfa-s1", 1, "optim.lr = 0.1", vec![epoch(1, 0.5, &undefined())]),
        run("dfa-lr0.2-s1", 1, "optim.lr = 0.2", vec![epoch(1, 0.5, &unreliable(0.25))]),
    ];
    let rows = csv(&runs, vec!["name", "seed", "optim.lr"]);
    assert_eq!(value(&rows, "dfa-s1", "test_accuracy", ""), ["0.5", "defined", ""]);
    assert_eq!(value(&rows, "dfa-s1", "growth", ""), ["inf", "defined", ""]);
    assert_eq!(value(&rows, "dfa-s1", "state_pred_error", ""), ["0.125", "defined", ""]);
    // 0.0128 of each sample's own loss, over 128.
    assert_eq!(value(&rows, "dfa-s1", "gradient_n128", ""), ["0.0001", "defined", ""]);
    assert_eq!(value(&rows, "dfa-s1", "seconds", ""), ["2", "defined", ""]);
    assert_eq!(value(&rows, "dfa-s1", "cosine", "embed"), ["0.75", "defined", "0"]);
    assert_eq!(value(&rows, "dfa-s1", "cosine", "block 0"), ["", "undefined", "1"]);
    assert_eq!(value(&rows, "dfa-lr0.2-s1", "cosine", "block 0"), ["0.25", "unreliable", "1"]);
    // At the input of block 0, not of the embedding, which has no block's input.
    assert_eq!(value(&rows, "dfa-s1", "cosine_at_input", "block 0"), ["-0.5", "defined", "1"]);
    // A key in which the runs differ is a column; those with columns of their own are not repeated.
    assert_eq!((rows[0]["optim.lr"].as_str(), rows[0]["seed"].as_str()), ("0.1", "1"));
    assert!(!rows[0].contains_key("name"));
    assert!(rows.iter().all(|row| row["network"] == "resmlp" && row["rule"] == "dfa"));
}

#[test]
fn jsonl_has_the_same_rows_with_types() {
    let runs = [run("dfa-s1", 1, "rule.frozen = false", vec![epoch(1, 0.5, &undefined())])];
    let named = named(&runs);
    let table = Tidy::new(&named, vec!["rule.frozen"]);
    let text = table.jsonl();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), table.csv().lines().count() - 1);
    let row = |series: &str, layer: Value| {
        rows.iter().find(|row| row["series"] == series && row["layer"] == layer).expect("a row")
    };
    assert_eq!(row("growth", Value::Null)["value"], "inf");
    let vanished = row("cosine", json!(1));
    assert_eq!((&vanished["value"], &vanished["state"]), (&Value::Null, &json!("undefined")));
    assert_eq!((&vanished["rule.frozen"], &vanished["seed"]), (&json!(false), &json!(1)));
    // In the order of the columns, for eyes.
    assert!(
        text.starts_with(r#"{"run":"dfa-s1","rule":"dfa","seed":1,"network":"resmlp","rule.frozen":false,"#)
    );
}

#[test]
fn words_of_strangers_are_no_formulas_and_no_codes() {
    let runs = [run("=1+1\u{1b}[2J", 1, "", vec![epoch(1, 0.5, &json!(0.5))])];
    let rows = csv(&runs, Vec::new());
    assert_eq!(rows[0]["run"], "'=1+1␛[2J");
}

#[test]
fn runs_of_one_name_are_told_apart_by_their_folders_and_seeds_are_grouped() {
    let at =
        |path: &str, seed: u64| Run { path: path.into(), ..run(&format!("dfa-s{seed}"), seed, "", vec![]) };
    let runs = [at("runs/a/dfa-s1", 1), at("runs/a/dfa-s2", 2), at("runs/b/dfa-s1", 1)];
    let names: Vec<(String, String)> =
        named(&runs).into_iter().map(|named| (named.name, named.group)).collect();
    let expected = [("a/dfa-s1", "a/dfa"), ("a/dfa-s2", "a/dfa"), ("b/dfa-s1", "b/dfa")];
    assert_eq!(names, expected.map(|(name, group)| (name.to_owned(), group.to_owned())));
    let alone: Vec<String> = named(&runs[..2]).into_iter().map(|named| named.name).collect();
    assert_eq!(alone, ["dfa-s1", "dfa-s2"]);
}
