//! What the page follows: epochs, ends, new runs, sweeps, and what is lost under it.

use crate::common::{program, recipe, text};
use crate::{RECIPE, Runs, Server};
use std::time::{Duration, SystemTime};

/// As promised.
const SOON: Duration = Duration::from_secs(2);
/// For what is looked at less often.
const LATER: Duration = Duration::from_secs(15);

#[test]
fn epochs_and_ends_are_there_within_two_seconds() {
    let runs = Runs::new();
    let record = std::fs::read(runs.path().join("dfa-s1/run.json")).expect("a record");
    let ahead = runs.rewind("dfa-s1", 1);
    let server = Server::new(&runs.path());
    assert!(server.page().contains("data-live=\"true\" data-revision=\""));
    server.says_within(SOON, "2 runs: 1 done, 1 running");
    server.says_within(SOON, ">0 of 3<");
    for (n, line) in ahead.iter().enumerate() {
        // The writer was interrupted in the middle of its line: that is not yet an epoch.
        let (first, rest) = line.split_at(line.len() / 2);
        runs.append("dfa-s1", first);
        std::thread::sleep(Duration::from_millis(600));
        assert!(server.live().contains(&format!(">{n} of 3<")), "{}", server.live());
        runs.append("dfa-s1", rest);
        server.says_within(SOON, &format!(">{} of 3<", n + 1));
    }
    let before = server.state();
    assert_eq!(before["ended"], false);
    std::fs::write(runs.path().join("dfa-s1/run.json"), record).expect("written");
    server.says_within(SOON, "2 runs: 2 done.");
    // When all is over, the whole page comes at once, and it is the one that was announced.
    std::thread::sleep(Duration::from_secs(4));
    let after = server.state();
    assert!(after["ended"] == true && after["revision"] != before["revision"], "{before} {after}");
    let page = server.page();
    assert!(page.contains(&format!("data-revision={}", after["revision"])), "another page");
    let (_, live) = page.split_once("<section id=\"live\">\n").expect("it can be read without script");
    assert_eq!(live.split_once("</section>").expect("its end").0, server.live());
}

#[test]
fn a_folder_without_runs_is_waited_for_and_one_that_is_not_there_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::new(folder.path());
    let words = "this page waits for the first";
    assert!(server.live().contains(words) && server.page().contains(words));
    let runs = Runs::new();
    std::fs::rename(runs.path(), folder.path().join("runs")).expect("moved");
    server.says_within(LATER, "2 runs: 2 done.");
    let refused = program().args(["serve", "/nonexistent/runs"]).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("does not exist: give a run directory"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn what_is_lost_under_it_is_said() {
    let runs = Runs::new();
    let ahead = runs.rewind("dfa-s1", 1);
    runs.append("dfa-s1", &ahead.concat());
    let server = Server::new(&runs.path());
    server.says_within(SOON, ">3 of 3<");
    runs.rewind("dfa-s1", 2);
    server.says_within(SOON, "dfa-s1: its log went back from epoch 3 to 1");
    runs.append("dfa-s1", "rubbish\n");
    server.says_within(SOON, "metrics.jsonl: line 3");
    assert!(server.page().contains("metrics.jsonl: line 3"));
    std::fs::remove_dir_all(runs.path().join("dfa-s1")).expect("removed");
    server.says_within(SOON, "dfa-s1: its directory is gone");
    // A finished run is looked at less often.
    std::fs::remove_dir_all(runs.path().join("bp-s1")).expect("removed");
    server.says_within(LATER, "bp-s1, dfa-s1: its directory is gone");
    std::fs::remove_dir_all(runs.path()).expect("removed");
    server.says_within(LATER, "cannot read");
    server.page();
}

#[test]
fn a_run_that_writes_nothing_any_more_is_silent() {
    let runs = Runs::new();
    runs.rewind("dfa-s1", 2);
    let before = SystemTime::now() - Duration::from_secs(600);
    for file in ["run.json", "metrics.jsonl", "checkpoint.safetensors"] {
        let file = std::fs::OpenOptions::new().append(true).open(runs.path().join("dfa-s1").join(file));
        file.expect("a file").set_modified(before).expect("a time");
    }
    let server = Server::new(&runs.path());
    server.says_within(SOON, "2 runs: 1 done, 1 silent.");
    server.says_within(SOON, "dfa-s1: no sign of life for 10 min: if nobody trains it, it was killed");
}

#[test]
fn a_check_that_fires_is_on_top_with_the_epoch_since_which_it_does() {
    let runs = Runs::new();
    let ahead = runs.rewind("dfa-s1", 1);
    let server = Server::new(&runs.path());
    server.says_within(SOON, ">0 of 3<");
    let spoiled: Vec<String> = ahead
        .iter()
        .map(|line| {
            let mut epoch: serde_json::Value = serde_json::from_str(line).expect("JSON");
            epoch["evaluation"]["growth"] = 900.0.into();
            format!("{epoch}\n")
        })
        .collect();
    runs.append("dfa-s1", &spoiled[..2].concat());
    server.says_within(SOON, "✗ D1 (scale stability) fires in dfa-s1 since epoch 1<");
    assert!(server.live().contains("<td class=bad>D1"), "{}", server.live());
    // Of a frozen baseline, the accuracy alone counts.
    let recipe = runs.path().join("dfa-s1/recipe.toml");
    let text = std::fs::read_to_string(&recipe).expect("a recipe");
    for frozen in [true, false] {
        let set = |line: &str| {
            if line.starts_with("frozen = ") { format!("frozen = {frozen}") } else { line.to_owned() }
        };
        let lines: Vec<String> = text.lines().map(set).collect();
        std::fs::write(&recipe, lines.join("\n")).expect("written");
        runs.rewind("dfa-s1", 3);
        server.within(SOON, |live| live.contains("fires in") != frozen, "fires in");
    }
    runs.append("dfa-s1", &ahead[2]);
    server.says_within(SOON, ">3 of 3<");
    assert!(!server.live().contains("fires in"), "it recovered: {}", server.live());
}

#[test]
fn of_a_sweep_it_tells_what_sweep_status_does() {
    let folder = tempfile::tempdir().expect("a folder");
    recipe(folder.path(), RECIPE);
    let sweep = |args: &[&str]| {
        let output =
            program().current_dir(folder.path()).arg("sweep").args(args).output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    sweep(&["plan", "recipe.toml"]);
    let runs = folder.path().join("runs/recipe");
    let server = Server::new(&runs);
    server.says_within(SOON, "2 runs: 2 not submitted.");
    assert!(server.live().contains("Submit them: <code>creditscope sweep submit "), "{}", server.live());
    sweep(&["submit", "recipe.toml", "--on", "local", "--quiet"]);
    server.says_within(LATER, "2 runs: 2 done.");
    server.says_within(LATER, "All is done. Look closer: <code>creditscope audit ");
}
