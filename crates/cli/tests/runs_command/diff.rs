//! `creditscope runs diff`: what differs, and whether equal trainings gave equal results.

use crate::made::{edit, row, runs, shown, train};
use record::Run;

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
    assert_eq!(differing, ["rule.name", "rule.normalise"], "{text}");
    let [last_a, last_b] =
        [&a, &b].map(|path| Run::read(path).expect("a run").epochs.pop().expect("an epoch"));
    let words = row(&text, "test accuracy");
    let x = last_a.test.accuracy;
    let y = last_b.test.accuracy;
    for (word, x) in words[2..].iter().zip([x, y, y - x]) {
        assert!(word.parse::<f64>().is_ok_and(|shown| (shown - x).abs() <= 5e-5), "{word} for {x}");
    }
    assert!(!text.contains("byte"), "nothing is promised of two recipes:\n{text}");
}

/// A record that is older than a key was trained as if it had the key's neutral value, and measured so.
#[test]
fn a_key_that_a_record_is_older_than_is_no_difference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, second] = ["one", "two"].map(|name| folder.path().join(name));
    for out in [&first, &second] {
        train(out, &["--rules", "bp", "--seeds", "1", "--threads", "1"]);
    }
    let [a, b] = [first, second].map(|out| out.join("bp-s1"));
    for key in ["clip = 0.0\n", "train_samples = 0\n", "inert = 0.001\n"] {
        edit(a.join("recipe.toml"), key, "");
    }
    let (code, text, err) = runs(&["diff", &shown(&a), &shown(&b)]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(text.contains("Nothing differs in recipe"), "{text}");
    assert!(text.ends_with("the results must be equal to the byte, and are.\n"), "{text}");
    // Where they differ, the value that held is shown.
    edit(b.join("recipe.toml"), "clip = 0.0\n", "clip = 1.0\n");
    let (_, text, _) = runs(&["diff", &shown(&a), &shown(&b)]);
    assert_eq!(row(&text, "optim.clip"), ["optim.clip", "0.0", "1.0"]);
}

#[test]
fn equal_recipes_must_give_equal_results_and_the_first_breach_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, second] = ["one", "two"].map(|name| folder.path().join(name));
    let run = ["--rules", "bp", "--seeds", "1", "--threads"];
    train(&first, &[&run[..], &["1"]].concat());
    train(&second, &[&run[..], &["2"]].concat());
    let a = first.join("bp-s1");
    let b = second.join("bp-s1");
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

/// Measurements are not part of the training.
#[test]
fn runs_of_the_same_training_must_agree_whatever_they_measured() {
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
    let a = first.join("bp-s1");
    let b = second.join("bp-s1");
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
