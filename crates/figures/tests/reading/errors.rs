//! Messages, as a user reads them.

use crate::made::{Made, put, refusal};
use figures::reader::Records;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn entry(epoch: u64) -> Value {
    json!({"epoch": epoch, "hidden_norms": [1.0, 2.0], "bp_grad_norms_per_sample_med": [1.0, 2.0], "acc_eval": 0.5})
}

#[test]
fn a_path_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let message = refusal(folder.path(), &folder.path().join("nowhere"));
    assert!(message.starts_with("nowhere does not exist: give a run directory"), "{message}");
}

#[test]
fn nothing_to_draw() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.json"), "{").unwrap();
    Made::new("bp", 1).write_as(&folder.path().join("bp-s1"), &[]);
    let message = refusal(folder.path(), folder.path());
    assert!(
        message.contains("nothing to draw in") && message.contains("looked for run directories (`run.json`)")
    );
    assert!(message.contains("\n  passed over: broken.json: passed over: not JSON"), "{message}");
    assert!(message.contains("bp-s1, `metrics.jsonl`"), "{message}");
    assert!(Records::read(&[]).unwrap_err().to_string().starts_with("nothing to draw in no path at all"));
}

#[test]
fn a_file_that_is_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), "notes.json", &json!({"remember": "milk", "and": "bread"}));
    let message = refusal(folder.path(), &path);
    let start =
        "notes.json is not a record (its keys, `and`, `remember`, are not those of a record): expected";
    assert!(message.starts_with(start), "{message}");
    let path = folder.path().join("picture.png");
    fs::write(&path, [0x89, b'P', 0xff]).unwrap();
    let message = refusal(folder.path(), &path);
    assert!(message.starts_with("picture.png is not a record (it cannot be read"), "{message}");
}

/// Writes a file of the source and wants the message to be this.
fn refused(file: &str, content: &str, message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    // Given by itself or found in a folder, it is meant to be drawn, and refused.
    for given in [&path, folder.path()] {
        let said = refusal(folder.path(), given);
        assert!(said.starts_with(message), "{said}\n  in place of\n{message}");
    }
}

#[test]
fn files_of_the_source_that_cannot_be_drawn() {
    let snapshot = "snapshot_vit_v1/snapshot_vit_s42.json";
    let said = |problem: &str| format!("{snapshot}: {problem}");
    refused(snapshot, "{\"bp_log\": [NaN]}", &said("not JSON: expected value at line 1 column 13"));
    refused(snapshot, "{}", &said("has none of the keys `bp_log`, `dfa_log`, `fa_log`"));
    refused(snapshot, "{\"bp_log\": []}", &said("`bp_log` is empty"));
    let wrong = json!({"bp_log": [entry(1), {"epoch": 2, "acc_eval": "half"}]}).to_string();
    refused(snapshot, &wrong, &said("`bp_log/1/acc_eval`: invalid type: string \"half\", expected f64"));
    let twice = json!({"bp_log": [entry(1), entry(1)]}).to_string();
    refused(snapshot, &twice, &said("`bp_log` has epoch 1 twice"));
    let mut mixed = json!({"bp_log": [entry(1), entry(2)]});
    mixed["bp_log"][1]["hidden_norms"] = json!([1.0, 2.0, 3.0]);
    let message = "`bp_log/1/hidden_norms` has 3 layers, `hidden_norms` at the top of the log has 2";
    refused(snapshot, &mixed.to_string(), &said(message));
    let other = json!({"bp_log": [entry(1)]}).to_string();
    let student = "snapshot_synth_v1/snapshot_synth_a1.0_L4_s42.json";
    let message = format!("{student}: `bp_log` has norms of 1 blocks, the file's name says L4");
    refused(student, &other, &message);
    let results = "cifar10/results_cifar10.json";
    let log = json!({"train_acc": [0.1, 0.2], "test_acc": [0.1], "train_loss": [2.0, 1.0]});
    let message = format!("{results}: `42/bp/log/test_acc` has 1 epochs, `train_acc` beside it has 2");
    refused(results, &json!({"42": {"bp": {"log": log}}}).to_string(), &message);
    let message = format!("{results}: `42/bp`: missing field `log`");
    refused(results, &json!({"42": {"bp": {}}}).to_string(), &message);
    let penalised = "dfa_residual_penalty/dfa_pen_lam0.01_s42.json";
    refused(penalised, "{\"log\": []}", &format!("{penalised}: `log` is empty"));
    let log = json!([{"epoch": 1, "h_L_norm": 1.0, "g_2_norm": 1.0, "acc_eval": 0.1}]);
    let message = format!("{penalised}: `lam` is 0.5, while the file's name says 0.01");
    refused(penalised, &json!({"lam": 0.5, "log": log}).to_string(), &message);
}

#[test]
fn records_of_another_version_or_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = Made::new("bp", 1).write(folder.path());
    let audit = put(folder.path(), "later.json", &json!({"schema": "creditscope.audit/7"}));
    let message = refusal(folder.path(), &audit);
    let start = "later.json has schema `creditscope.audit/7`, this program reads `creditscope.audit/1`";
    assert!(message.starts_with(start), "{message}");
    fs::remove_file(audit).unwrap();
    let run = fs::read_to_string(path.join("run.json")).unwrap();
    fs::write(path.join("run.json"), run.replace("run/1", "run/2")).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert!(message.starts_with("bp-s1/run.json has schema `creditscope.run/2`"), "{message}");
    fs::write(path.join("run.json"), run).unwrap();
    let metrics = fs::read_to_string(path.join("metrics.jsonl")).unwrap();
    let lines: Vec<&str> = metrics.lines().collect();
    fs::write(path.join("metrics.jsonl"), format!("{}\n{{\"epoch\": 1}}\n", lines[0])).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert!(message.starts_with("bp-s1/metrics.jsonl: line 2: missing field"), "{message}");
    fs::write(path.join("metrics.jsonl"), format!("{}\n{}\n", lines[2], lines[1])).unwrap();
    let message = refusal(folder.path(), folder.path());
    assert_eq!(message, "bp-s1/metrics.jsonl: line 2: `epoch` is 1 after 2");
}
