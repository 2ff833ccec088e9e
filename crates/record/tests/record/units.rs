//! Units and kept audits: what older programs wrote is read, and written again with nothing changed but names.

use record::audit::{Audit, Site};
use record::{Epoch, Run, Unit};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[test]
fn a_unit_is_read_as_it_is_written() {
    for state in [0, 1, 2, 13, 1000] {
        let unit = Unit::at(state);
        assert_eq!(unit.state(), state);
        assert_eq!(unit.to_string().parse(), Ok(unit));
        let written = serde_json::to_string(&unit).expect("a word");
        assert_eq!(written, format!("\"{unit}\""));
        assert_eq!(serde_json::from_str::<Unit>(&written).expect("the same"), unit);
        assert_eq!(serde_json::from_str::<Site>(&written).expect("a site"), Site::Unit(unit));
    }
    assert_eq!(
        (Unit::at(0).to_string(), Unit::at(3).to_string()),
        ("embed".to_owned(), "block 2".to_owned())
    );
    assert_eq!(serde_json::from_str::<Site>("\"feedback\"").expect("a site"), Site::Feedback);
    assert_eq!(serde_json::to_string(&Site::Feedback).expect("a word"), "\"feedback\"");
    for word in
        ["", "embedding", "block", "block ", "block 07", "block -1", "block +1", "Block 1", "feedback"]
    {
        assert!(word.parse::<Unit>().is_err(), "{word}");
    }
}

fn kept() -> Vec<PathBuf> {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    record::find_runs(&results).expect("kept records")
}

/// The names of before, where this program writes others.
fn renamed(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (old, new) in [("paper", "at_input"), ("cosine_paper", "cosine_at_input")] {
                if let Some(value) = object.remove(old) {
                    object.insert(new.to_owned(), value);
                }
            }
            object.values_mut().for_each(renamed);
        }
        Value::Array(list) => list.iter_mut().for_each(renamed),
        _ => {}
    }
}

/// A line of a log without a schema, with the lists of its evaluation as series and its defined numbers bare.
/// Newer lines are as they are written today.
fn named(line: &mut Value) {
    if line.get("schema").is_some() {
        return;
    }
    line["schema"] = Epoch::SCHEMA.into();
    let evaluation = line["evaluation"].as_object_mut().expect("an evaluation");
    let mut series = serde_json::Map::new();
    let places = [
        ("hidden", "state"),
        ("gradient", "state"),
        ("credit", "unit"),
        ("cosine", "unit"),
        ("cosine_at_input", "block_input"),
    ];
    for (name, at) in places {
        let mut values = evaluation.remove(name).expect("a list");
        for value in values.as_array_mut().expect("a list") {
            if value["state"] == "defined" {
                *value = value["value"].take();
            }
        }
        series.insert(name.to_owned(), serde_json::json!({"at": at, "values": values}));
    }
    evaluation.insert("series".to_owned(), series.into());
}

#[test]
fn kept_audits_lose_nothing() {
    for path in kept() {
        let text = std::fs::read_to_string(path.join(Run::AUDIT)).expect("an audit");
        let mut written: Value = serde_json::from_str(&text).expect("JSON");
        renamed(&mut written);
        let audit: Audit = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(serde_json::to_value(&audit).expect("plain data") == written, "{}", path.display());
    }
}

#[test]
fn kept_logs_lose_nothing() {
    for path in kept() {
        let text = std::fs::read_to_string(path.join(Run::METRICS)).expect("a log");
        for line in text.lines().take(1).chain(text.lines().last()) {
            let mut written: Value = serde_json::from_str(line).expect("JSON");
            renamed(&mut written);
            named(&mut written);
            let epoch: Epoch =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(serde_json::to_value(&epoch).expect("plain data") == written, "{}", path.display());
        }
    }
}

#[test]
fn what_is_not_part_of_an_audit_is_refused() {
    let text = std::fs::read_to_string(kept()[0].join(Run::AUDIT)).expect("an audit");
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    assert!(serde_json::from_value::<Audit>(value.clone()).is_ok());
    value["settings"]["grwoth"] = Value::from(50.0);
    let refusal = serde_json::from_value::<Audit>(value.clone()).expect_err("a slip").to_string();
    assert!(refusal.contains("grwoth"), "{refusal}");
    value["settings"].as_object_mut().expect("settings").retain(|key, _| key != "grwoth" && key != "growth");
    assert!(serde_json::from_value::<Audit>(value).expect_err("a gap").to_string().contains("growth"));
}
