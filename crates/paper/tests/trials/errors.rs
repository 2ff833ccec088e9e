//! Messages, as a user reads them.

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

fn entry(epoch: u64) -> Value {
    json!({"epoch": epoch, "hidden_norms": [1.0, 2.0], "bp_grad_norms_per_sample_med": [1.0, 2.0], "acc_eval": 0.5})
}

/// Writes a file of the paper and wants the message to be this.
fn refused(file: &str, content: &str, message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    // Given by itself or found in a folder, it is meant to be drawn, and refused.
    for given in [path.as_path(), folder.path()] {
        let said = paper::records(&[given.to_owned()]).unwrap_err().to_string();
        let said = said.replace(&format!("{}/", folder.path().display()), "");
        assert!(said.starts_with(message), "{said}\n  in place of\n{message}");
    }
}

#[test]
fn files_of_the_paper_that_cannot_be_drawn() {
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
    let message = format!("{student}: `bp_log` has norms of 1 blocks, the file name says L4");
    refused(student, &other, &message);
    let results = "cifar10/results_cifar10.json";
    let log = json!({"train_acc": [0.1, 0.2], "test_acc": [0.1], "train_loss": [2.0, 1.0]});
    let message =
        format!("{results}: `42/bp/log/test_acc` has 1 epochs, but `train_acc` in the same object has 2");
    refused(results, &json!({"42": {"bp": {"log": log}}}).to_string(), &message);
    let message = format!("{results}: `42/bp`: missing field `log`");
    refused(results, &json!({"42": {"bp": {}}}).to_string(), &message);
    let penalised = "dfa_residual_penalty/dfa_pen_lam0.01_s42.json";
    refused(penalised, "{\"log\": []}", &format!("{penalised}: `log` is empty"));
    let log = json!([{"epoch": 1, "h_L_norm": 1.0, "g_2_norm": 1.0, "acc_eval": 0.1}]);
    let message = format!("{penalised}: `lam` is 0.5, but the file name says 0.01");
    refused(penalised, &json!({"lam": 0.5, "log": log}).to_string(), &message);
}

#[test]
fn what_can_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let said = |path: PathBuf| paper::records(&[path]).unwrap_err().to_string();
    let names = "`results_cifar10.json`, `snapshot_*.json` and `dfa_pen_lam*.json`";
    assert!(said(folder.path().to_owned()).ends_with(names));
    assert!(said(folder.path().join("nowhere")).ends_with(names));
    let manifest = folder.path().join("creditscope.json");
    fs::write(&manifest, json!({"schema": paper::Manifest::SCHEMA, "files": {}}).to_string()).unwrap();
    let message = said(manifest);
    assert!(message.contains("is not a record (it only lists the runs of an export)"), "{message}");
}
