//! Tables: CSV, JSON lines, LaTeX.

use crate::made::{SMALL, export, shown, train};
use record::Run;

#[test]
fn the_numbers_of_the_logs_are_rows_and_a_damaged_run_is_not_passed_over_in_silence() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = folder.path().join("runs");
    train(&runs, SMALL);
    let (code, csv, err) = export(&["csv", &shown(&runs)]);
    assert_eq!((code, err.as_str()), (0, ""));
    let heading = "run,rule,seed,network,rule.normalise,epoch,layer,unit,series,value,state,why,samples\r\n";
    assert!(csv.starts_with(heading), "{}", csv.lines().next().unwrap_or_default());
    for id in ["bp-s1", "bp-s2", "dfa-s1", "dfa-s2"] {
        let run = Run::read(&runs.join(id)).expect("a run");
        let accuracy = run.last().expect("an epoch").test.accuracy;
        let rule = run.record.rule;
        let seed = run.record.provenance.seed;
        let normalise = if rule == "bp" { "none" } else { "sample" };
        let row = format!("{id},{rule},{seed},resmlp,{normalise},2,,,test_accuracy,{accuracy},defined,,\r\n");
        assert!(csv.contains(&row), "{row}");
    }
    let file = folder.path().join("runs.jsonl");
    assert_eq!(export(&["jsonl", &shown(&runs), "-o", &shown(&file)]).0, 0);
    let jsonl = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(jsonl.lines().count(), csv.lines().count() - 1);

    std::fs::write(runs.join("bp-s2/run.json"), "[]").expect("written");
    let (code, rest, err) = export(&["csv", &shown(&runs)]);
    assert_eq!(code, 2);
    assert!(rest.contains("dfa-s2,") && !rest.contains("bp-s2,"));
    assert!(err.contains("bp-s2") && err.contains("1 of the run directories could not be read"), "{err}");
    let own = runs.join("bp-s1/run.json");
    let (code, _, err) = export(&["csv", &shown(&runs), "--out", &shown(&own)]);
    assert!(code == 2 && err.contains("it belongs to a run"), "{err}");
}

#[test]
fn verdicts_and_accuracies_are_a_table_for_a_paper() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = folder.path().join("runs");
    train(&runs, &format!("{SMALL}rule.frozen = [false, true]\n"));
    let (code, tex, err) = export(&["latex", &shown(&runs)]);
    assert_eq!((code, err.as_str()), (0, ""));
    let rows: Vec<&str> = tex.lines().filter(|line| line.starts_with("resmlp & ")).collect();
    assert_eq!(rows.len(), 2, "{tex}");
    for (row, title) in rows.iter().zip(["BP", "DFA"]) {
        let cells: Vec<&str> = row.trim_end_matches(" \\\\").split(" & ").collect();
        assert_eq!((cells.len(), cells[1], cells[2]), (9, title, "2"), "{row}");
        assert!(cells[3].contains(r"\pm") && cells[4].contains(r"\pm"), "{row}");
        assert!(cells[8].starts_with("PASS") || cells[8].starts_with("FAIL"), "{row}");
    }
    assert_eq!(tex.matches("\\begin").count(), tex.matches("\\end").count());
}

#[test]
fn what_is_not_written_says_how_else() {
    let (code, _, err) = export(&["parquet", "runs", "--out", "x"]);
    assert_eq!(code, 2);
    assert!(err.contains("export csv") && err.contains("sink_parquet"), "{err}");
}
