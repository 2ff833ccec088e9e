//! The paper's files as the paper writes them: read, written again, and refused where a key is missing.

use paper::files::{PaperFile, Penalised, Results, Snapshot, read, read_leniently, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn results() -> Value {
    let method = |state: bool| {
        let mut log = json!({"train_acc": [0.2, 0.25], "test_acc": [0.21, 0.24], "train_loss": [2.2, 2.1]});
        if state {
            log["state_pred_error"] = json!([0.08, 4e-5]);
        }
        json!({
            "log": log,
            "diagnostics": {"bp_cosine": [1.0, -0.5], "perturbation_rho": [0.9, 0.8],
                "nudging": {"0.01": [-0.01, 0.0], "0.1": [0.0, 0.0]}},
            "drift": {"blocks.0.w1.weight": 1.5, "blocks.1.w1.weight": 1.7},
            "final_acc": 0.24,
        })
    };
    json!({"42": {"bp": method(false), "state_bridge": method(true)}})
}

fn snapshot() -> Value {
    let entry = |epoch: u64| {
        json!({"epoch": epoch, "hidden_norms": [20.0, 1e8], "bp_grad_norms_per_sample_med": [1e-3, 4e-10],
            "acc_eval": 0.3, "loss": 2.3})
    };
    json!({"bp_log": [entry(1), entry(2)], "dfa_log": [entry(1)], "config": {"seed": 42, "lr": null}})
}

fn vit() -> Value {
    let entry =
        json!({"epoch": 1, "hidden_norms_cls": [20.0], "bp_grad_per_sample_l2_med": [1e-3], "acc_eval": 0.3});
    json!({"fa_log": [entry]})
}

fn penalised() -> Value {
    json!({"lam": 0.001, "log": [{"epoch": 6, "h_L_norm": 305.5, "g_2_norm": 8.6e-5, "acc_eval": 0.25}]})
}

fn round_trip<T: PaperFile>(folder: &Path, given: &Value) {
    let path = folder.join("file.json");
    fs::write(&path, given.to_string()).unwrap();
    let reading = read::<T>(&path).unwrap();
    assert_eq!(reading.extra, Vec::<String>::new());
    write(&path, &reading.content).unwrap();
    let back: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(&back, given);
}

#[test]
fn every_kind_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    round_trip::<Results>(folder.path(), &results());
    round_trip::<Snapshot>(folder.path(), &snapshot());
    round_trip::<Snapshot>(folder.path(), &vit());
    round_trip::<Penalised>(folder.path(), &penalised());
}

/// Takes away the key at the JSON pointer and wants file and key in the message.
fn refuses<T: PaperFile + std::fmt::Debug>(mut given: Value, parent: &str, key: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    given.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    fs::write(&path, given.to_string()).unwrap();
    let message = read::<T>(&path).unwrap_err().to_string();
    assert!(message.starts_with(&*path.display().to_string()), "{message}");
    assert!(message.contains(&format!("`{key}`")), "{key} in {message}");
}

#[test]
fn a_missing_key_is_named() {
    refuses::<Results>(results(), "/42/bp", "log");
    for key in ["train_acc", "test_acc", "train_loss"] {
        refuses::<Results>(results(), "/42/bp/log", key);
    }
    for key in ["epoch", "hidden_norms", "bp_grad_norms_per_sample_med", "acc_eval"] {
        refuses::<Snapshot>(snapshot(), "/bp_log/1", key);
    }
    for key in ["hidden_norms_cls", "bp_grad_per_sample_l2_med"] {
        refuses::<Snapshot>(vit(), "/fa_log/0", key);
    }
    refuses::<Snapshot>(vit(), "", "fa_log");
    refuses::<Penalised>(penalised(), "", "log");
    for key in ["epoch", "h_L_norm", "g_2_norm", "acc_eval"] {
        refuses::<Penalised>(penalised(), "/log/0", key);
    }
}

#[test]
fn a_lenient_reading_hands_missing_keys_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let mut given = snapshot();
    given["dfa_log"][0].as_object_mut().unwrap().remove("hidden_norms");
    given["bp_log"][1].as_object_mut().unwrap().remove("acc_eval");
    fs::write(&path, given.to_string()).unwrap();
    let reading = read_leniently::<Snapshot>(&path).unwrap();
    let missing = [
        "`bp_log/1` has no key `acc_eval`",
        "`dfa_log/0` has no key `hidden_norms` (nor `hidden_norms_cls`)",
    ];
    assert_eq!(reading.missing, missing);
    assert_eq!(serde_json::to_value(&reading.content).unwrap(), given);
}

#[test]
fn a_value_of_the_wrong_type_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let mut given = results();
    given["42"]["bp"]["log"]["test_acc"][1] = json!("high");
    fs::write(&path, given.to_string()).unwrap();
    let message = read_leniently::<Results>(&path).unwrap_err().to_string();
    assert!(message.contains("`42/bp/log/test_acc/1`: invalid type: string"), "{message}");
}

#[test]
fn curves_of_different_lengths_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let mut given = results();
    given["42"]["state_bridge"]["log"]["state_pred_error"] = json!([0.5]);
    fs::write(&path, given.to_string()).unwrap();
    let message = read::<Results>(&path).unwrap_err().to_string();
    assert!(message.contains("`42/state_bridge/log/state_pred_error` has 1 epochs"), "{message}");
}

#[test]
fn extra_keys_are_handed_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let mut given = snapshot();
    given["note"] = json!("hello");
    given["bp_log"][0]["lr"] = json!(1e-3);
    given["bp_log"][1]["lr"] = json!(1e-3);
    fs::write(&path, given.to_string()).unwrap();
    assert_eq!(read::<Snapshot>(&path).unwrap().extra, ["bp_log/*/lr", "note"]);
}

#[test]
fn a_number_that_json_cannot_say_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let mut file: Penalised = serde_json::from_value(penalised()).unwrap();
    write(&path, &file).unwrap();
    let before = fs::read(&path).unwrap();
    file.log[0].g_2_norm = Some(f64::NAN);
    let message = write(&path, &file).unwrap_err().to_string();
    assert!(message.contains("not finite") && message.contains("file.json"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_cut_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.json");
    let text = snapshot().to_string();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    assert!(read::<Snapshot>(&path).unwrap_err().to_string().starts_with(&*path.display().to_string()));
    assert!(
        read::<Snapshot>(&folder.path().join("none.json")).unwrap_err().to_string().contains("none.json")
    );
}
