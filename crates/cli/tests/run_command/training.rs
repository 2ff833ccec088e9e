//! Runs that are trained: files, messages, exit codes, and what happens after a problem.

use crate::common::{program, recipe, text};
use crate::made::{SMALL, folder, run};
use std::path::Path;

#[test]
fn bad_input_is_refused_with_exit_code_2() {
    let folder = folder();
    let good = recipe(folder.path(), SMALL);
    let out = folder.path().join("out");
    for (more, words) in [
        (vec!["--set", "optim.lrr=1"], "unknown key `optim.lrr`: did you mean `optim.lr`?"),
        (vec!["--set", "net.d=wide"], "`net.d` is `wide` (string)"),
        (vec!["--set", "net.d=0"], "`net.d` is 0"),
        (vec!["--rules", "bp,dfaa"], "one of bp, fa, dfa"),
        (vec!["--seeds", "1,x"], "`seed` is `x`"),
        (vec!["--jobs", "0"], "0 is not in 1..=4096"),
        (vec!["--set", "data.name=cifar10", "--dry-run"], "creditscope data fetch cifar10"),
        (vec!["--nonsense"], "unexpected argument"),
    ] {
        let output = run(&good, &out, &more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {message}");
        assert!(message.contains(words), "{more:?}: {message}");
    }
    assert!(!out.exists(), "nothing was created");
    let output = run(Path::new("/no/such/recipe.toml"), &out, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/no/such/recipe.toml"));
}

#[test]
fn a_run_is_quiet_when_piped_and_leaves_its_files() {
    let folder = folder();
    let recipe = recipe(folder.path(), SMALL);
    let out = folder.path().join("out");
    let output = run(&recipe, &out, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "no progress bar in a pipe");
    assert!(text(&output.stdout).contains("bp-s42"));
    for file in ["recipe.toml", "run.json", "metrics.jsonl", "checkpoint.safetensors"] {
        assert!(out.join("bp-s42").join(file).is_file(), "{file}");
    }
    let leftovers = std::fs::read_dir(out.join("bp-s42")).expect("a folder").count();
    assert_eq!(leftovers, 4, "and nothing else");
    let silent = run(&recipe, &folder.path().join("silent"), &["--quiet"]);
    assert_eq!((text(&silent.stdout), text(&silent.stderr)), (String::new(), String::new()));
    // Finished runs are left alone by --resume, refused without it.
    assert!(run(&recipe, &out, &["--resume"]).status.success());
    assert_eq!(run(&recipe, &out, &[]).status.code(), Some(2));
}

/// Seeds are averaged; everything else that is swept is shown separately.
#[test]
fn a_run_ends_with_a_verdict_for_each_variant() {
    let folder = folder();
    let recipe = recipe(folder.path(), SMALL);
    let more = ["--seeds", "1,2", "--set", "rule.penalty=[0, 0.1]", "--set", "rule.frozen=[false, true]"];
    let output = run(&recipe, &folder.path().join("out"), &more);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let verdicts: Vec<&str> =
        said.lines().filter(|l| l.contains(" passes") || l.contains(" fails")).collect();
    assert_eq!(verdicts.len(), 2, "{said}");
    assert!(verdicts[0].contains(" bp ") && verdicts[1].contains(" bp-pen0.1 "), "{verdicts:?}");
    assert!(said.contains("over 2 seeds"));
}

#[test]
fn a_stopped_run_gives_exit_code_1_and_the_others_finish() {
    let folder = folder();
    let text_of = format!(
        "{SMALL}optim.lr = [1e-3, 1e6]\nnet.out_ln = false\nrule.name = 'dfa'\ntrain.schedule = 'constant'\n"
    )
    .replace("epochs = 2", "epochs = 40");
    let recipe = recipe(folder.path(), &text_of);
    let output = run(&recipe, &folder.path().join("out"), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("loss became"));
    let page = text(&output.stdout);
    assert!(page.contains("the run broke off") && page.contains("Runs with optim.lr = 0.001:"), "{page}");
}

/// The largest file that the program may write is made small, which to it looks like a disk that is full.
#[test]
fn a_full_disk_is_said_and_nothing_saved_is_lost() {
    let folder = folder();
    let recipe = recipe(folder.path(), &SMALL.replace("epochs = 2", "epochs = 100"));
    let out = folder.path().join("out");
    let limited = std::process::Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 56; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_creditscope")])
        .args([
            "run",
            &recipe.display().to_string(),
            "--out",
            &out.display().to_string(),
            "--checkpoint-every",
            "0",
        ])
        .output()
        .expect("bash is there");
    let message = text(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{message}");
    assert!(message.contains("metrics.jsonl") && message.contains("free some space"), "{message}");
    let logged = std::fs::read_to_string(out.join("bp-s42/metrics.jsonl")).expect("the log").lines().count();
    assert!(logged > 5, "{logged} lines before the disk was full");
    // With room again, the run goes on from its last checkpoint.
    let resumed = run(&recipe, &out, &["--resume"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert_eq!(record::Run::read(&out.join("bp-s42")).expect("a whole run").epochs.len(), 101);
}

/// As in `creditscope run … 2>&1 | head -1`: the reader is gone, and training continues.
#[test]
fn a_reader_that_goes_away_stops_nothing() {
    let folder = folder();
    let recipe = recipe(folder.path(), SMALL);
    let out = folder.path().join("out");
    let mut child = program()
        .args(["run", &recipe.display().to_string(), "--out", &out.display().to_string(), "--verbose"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(record::Run::read(&out.join("bp-s42")).expect("a run").epochs.len(), 3);
}

/// A run that ended early by request is not taken for finished when more is asked for.
#[test]
fn a_shorter_run_is_continued_and_a_longer_one_left_alone() {
    let folder = folder();
    let recipe = recipe(folder.path(), &format!("{SMALL}name = 'long'\n"));
    let out = folder.path().join("out");
    let epochs = || record::Run::read(&out.join("bp-s42")).expect("a run").epochs.len() - 1;
    assert!(run(&recipe, &out, &["--set", "train.stop_after=1"]).status.success());
    assert_eq!(epochs(), 1);
    let said = text(&run(&recipe, &out, &["--resume", "--set", "name=other"]).stdout);
    assert!(said.contains("epoch 2,"), "{said}");
    assert_eq!(epochs(), 2);
    assert!(run(&recipe, &out, &["--resume", "--set", "train.stop_after=1"]).status.success());
    assert_eq!(epochs(), 2);
    let refused = run(&recipe, &out, &["--resume", "--set", "train.epochs=3"]);
    assert!(text(&refused.stderr).contains("train.epochs is 2 there, 3 here"), "{}", text(&refused.stderr));
}
