//! Named series of a log: those of a newer program are kept, and a newer schema is refused.

use record::series::{self, At, TABLE};
use record::{Epoch, Error, Measured, Run, Why};
use serde_json::{Value, json};
use std::path::Path;

fn epoch() -> Epoch {
    crate::made::cifar("dfa", (8, 2), 1, 1).epochs.remove(1)
}

#[test]
fn every_line_says_its_schema_and_series_come_back() {
    let mut epoch = epoch();
    let doubtful = [
        Measured::Unreliable { value: 0.5, why: Why::ReferenceBelowFloor },
        Measured::Undefined { why: Why::NotFinite },
        Measured::Defined { value: 0.25 },
    ];
    epoch.evaluation.series.extend([series::COSINE.series(doubtful)]);
    let written = serde_json::to_value(&epoch).unwrap();
    assert_eq!(written["schema"], Epoch::SCHEMA);
    assert_eq!(written["evaluation"]["series"]["cosine"]["values"][2], 0.25);
    assert_eq!(written["evaluation"]["series"]["cosine"]["values"][1]["state"], "undefined");
    assert_eq!(serde_json::from_value::<Epoch>(written).unwrap(), epoch);
}

#[test]
fn what_a_newer_program_adds_is_kept_or_passed_over() {
    let mut written = serde_json::to_value(epoch()).unwrap();
    written["temperature"] = json!(21.5);
    written["evaluation"]["series"]["brand_new"] = json!({"at": "block_input", "values": [1.5, "inf"]});
    let read: Epoch = serde_json::from_value(written).unwrap();
    let new = &read.evaluation.series["brand_new"];
    assert_eq!((new.at, new.of_unit(0), new.of_unit(1)), (At::BlockInput, None, Some(1.5.into())));
    let names = series::in_order(&read.evaluation.series);
    assert_eq!((names[0], names.last()), (TABLE[0].name, Some(&"brand_new")));
}

#[test]
fn a_missing_list_of_an_older_line_and_a_word_for_a_number_are_faults() {
    let flat = json!({"samples": 1, "error": 1.0, "growth": 1.0, "hidden": [1.0], "gradient": [1.0], "credit": [],
        "cosine": []});
    let fault = serde_json::from_value::<record::Evaluation>(flat).unwrap_err().to_string();
    assert!(fault.contains("cosine_at_input"), "{fault}");
    let mut written = serde_json::to_value(epoch()).unwrap();
    written["evaluation"]["series"]["hidden"]["values"][1] = json!("huge");
    let fault = serde_json::from_value::<Epoch>(written).unwrap_err().to_string();
    assert!(fault.contains("\"inf\", \"-inf\", \"nan\""), "{fault}");
}

#[test]
fn a_newer_schema_is_refused_whatever_else_its_lines_hold() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let kept = record::find_runs(&kept).unwrap().remove(0);
    let folder = tempfile::tempdir().unwrap();
    for file in [Run::RECORD, Run::RECIPE] {
        std::fs::copy(kept.join(file), folder.path().join(file)).unwrap();
    }
    let read = |line: &Value| {
        std::fs::write(folder.path().join(Run::METRICS), format!("{line}\n")).unwrap();
        Run::read(folder.path())
    };
    assert_eq!(read(&serde_json::to_value(epoch()).unwrap()).unwrap().epochs, [epoch()]);
    let refusal = read(&json!({"schema": "creditscope.metrics/3", "all": "new"})).unwrap_err();
    assert!(matches!(refusal, Error::Schema { ref found, .. } if found.ends_with("/3")), "{refusal}");
}
