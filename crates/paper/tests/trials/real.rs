//! The paper's own tree, if a variable points to a folder that holds its `results`.

use std::path::PathBuf;

#[test]
fn the_papers_tree() {
    let Some(tree) = std::env::var_os("CREDITSCOPE_PAPER_TREE") else {
        println!("SKIP: CREDITSCOPE_PAPER_TREE does not point to a folder with the paper's results");
        return;
    };
    let tree = PathBuf::from(tree);
    let records = paper::records(std::slice::from_ref(&tree)).unwrap();
    for trial in &records.trials {
        println!("{} | {} | seed {:?}", trial.setting, trial.variant(), trial.seed);
    }
    records.notes.iter().for_each(|note| println!("{note}"));
    // Whatever else is in the tree, each key of each file is one trial, and a file read alone gives the same trials.
    for trial in &records.trials {
        let alone = paper::records(std::slice::from_ref(&trial.origin.path)).unwrap();
        let same = alone.trials.iter().find(|other| other.name == trial.name).unwrap();
        assert_eq!((&same.epochs, &same.drift), (&trial.epochs, &trial.drift), "{}", trial.name);
        let text = std::fs::read_to_string(&trial.origin.path).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pointer = format!("/{}", trial.origin.key.as_ref().unwrap());
        let content = file.pointer(&pointer).unwrap();
        for (i, point) in trial.epochs.iter().enumerate() {
            match content.as_array() {
                Some(log) => {
                    assert_eq!(point.epoch, log[i]["epoch"].as_u64().unwrap());
                    assert_eq!(point.test_accuracy, log[i]["acc_eval"].as_f64());
                    let last = |key: &str| log[i][key].as_array().and_then(|list| list.last()?.as_f64());
                    let hidden = log[i]["h_L_norm"].as_f64();
                    let hidden = hidden.or(last("hidden_norms")).or(last("hidden_norms_cls"));
                    assert_eq!(point.hidden_last(), hidden);
                    let g = last("bp_grad_norms_per_sample_med").or(last("bp_grad_per_sample_l2_med"));
                    assert_eq!(point.gradient_last(), g.map(|g| g * 1024.0));
                    let g_2 =
                        log[i]["g_2_norm"].as_f64().or(log[i]["bp_grad_norms_per_sample_med"][2].as_f64());
                    let g_2 = g_2.or(log[i]["bp_grad_per_sample_l2_med"][2].as_f64());
                    assert_eq!(point.gradient_at(2), g_2.map(|g| g * 1024.0));
                }
                None => {
                    assert_eq!(point.epoch, i as u64 + 1);
                    assert_eq!(point.train_accuracy, content["log"]["train_acc"][i].as_f64());
                    assert_eq!(point.test_accuracy, content["log"]["test_acc"][i].as_f64());
                }
            }
        }
    }
}
