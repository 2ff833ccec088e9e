//! Crashes at every change that a run makes on disk, with every set of survivors; faults of the disk; and mutants of the
//! program that do not wait for it.
//!
//! The program runs for real in a folder, and its changes are recorded. What each crash could leave is computed from the
//! record, laid out as files, and the program is started again there.

mod campaign;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod common;
#[path = "../../../record/tests/record/power/mod.rs"]
mod power;
#[path = "../saved/mod.rs"]
#[expect(dead_code, reason = "shared with other tests, which use the rest")]
mod saved;
mod stage;

use campaign::Campaign;
use power::history::{Op, Planted};
use power::model;
use power::scratch::{folder, lay_out, tree};
use power::site::Site;
use stage::{History, Outcome, Promise, Task, sit};
use std::collections::HashSet;

/// A network of a few parameters, two epochs, a checkpoint after each.
const RECIPE: &str = "
data.name = 'teacher'
teacher.inputs = 2
teacher.width = 2
teacher.classes = 2
teacher.train = 40
teacher.test = 20
net.name = 'student'
net.d = 2
net.blocks = 1
rule.name = 'dfa'
train.batch = 10
train.epochs = 2
eval.samples = 10
audit.every = 0
";

const TASK: Task = Task { recipe: RECIPE, stop_at: None };

/// Stops by itself: its last lines are in no checkpoint.
const DIVERGING: Task = Task {
    recipe: "
data.name = 'digits'
net.d = 20
net.blocks = 3
net.out_ln = false
optim.lr = 1e6
train.batch = 1000
train.epochs = 1
eval.samples = 10
audit.every = 0
",
    stop_at: None,
};

/// A history and the campaign that judges it.
fn begun(task: Task) -> (Campaign, History) {
    let campaign = Campaign::new(task);
    let root = folder();
    let history = sit(root.path(), task, None).history;
    (campaign, history)
}

/// A run that is interrupted after five steps, in its second epoch, and continued by another process.
fn interrupted() -> (Campaign, History) {
    let (campaign, first) = begun(Task { stop_at: Some(5), ..TASK });
    let history = campaign.killed_and_continued(&first, first.ops.len());
    (campaign, history)
}

/// A run that is killed before its last change, and found to be over by another process.
fn killed_at_its_end() -> (Campaign, History) {
    let (campaign, first) = begun(TASK);
    let history = campaign.killed_and_continued(&first, first.ops.len() - 1);
    (campaign, history)
}

#[test]
fn power_fails_at_any_moment_of_a_run() {
    for (what, (mut campaign, history)) in [
        ("a run from its start to its end", begun(TASK)),
        ("a run that is interrupted and continued", interrupted()),
        ("a run that diverges", begun(DIVERGING)),
    ] {
        let states =
            campaign.power_fails(&history, 0, None).unwrap_or_else(|problem| panic!("{what}: {problem}"));
        let changes = history.ops.len();
        println!(
            "{what}: {changes} changes, {states} crashes, {} states to restart from",
            campaign.restarts()
        );
    }
}

#[test]
fn killed_at_any_moment_then_power_fails_at_any_later_one() {
    let (mut campaign, history) = begun(TASK);
    let mut states = 0;
    for ops in 0..history.ops.len() {
        let continued = campaign.killed_and_continued(&history, ops);
        states += campaign
            .power_fails(&continued, ops, None)
            .unwrap_or_else(|problem| panic!("killed after change {ops}: {problem}"));
    }
    println!("{} kills, {states} crashes, {} states to restart from", history.ops.len(), campaign.restarts());
}

/// Where a run waits for the disk.
const SITES: [Site; 8] = [
    Site::Content,
    Site::Name,
    Site::Folder,
    Site::LogContent,
    Site::LogName,
    Site::LogBeforeCheckpoint,
    Site::LogBeforeRecord,
    Site::Over,
];

/// Each place that waits for the disk is needed: without it, some crash loses what was promised or cannot be continued.
#[test]
fn every_wait_for_the_disk_is_needed() {
    let mut histories = [begun(TASK), interrupted(), killed_at_its_end(), begun(DIVERGING)];
    let mut noticed = 0;
    for site in SITES {
        let waits = |(_, history): &(Campaign, History)| {
            (0..history.ops.len()).filter(|&at| Site::of(&history.ops, at) == Some(site)).count()
        };
        let times: usize = histories.iter().map(waits).sum();
        assert!(times > 0, "nothing waits at {site:?}");
        let problem = histories
            .iter_mut()
            .find_map(|(campaign, history)| campaign.power_fails(history, 0, Some(site)).err());
        let problem =
            problem.unwrap_or_else(|| panic!("nobody needs {site:?}, at which {times} changes wait"));
        println!("without {site:?} ({times}): {problem}");
        noticed += 1;
    }
    println!("{noticed} of {} mutants noticed", SITES.len());
}

/// The numbers of Linux, and of most others.
const ENOSPC: i32 = 28;
const EIO: i32 = 5;

#[test]
fn the_disk_fails_at_any_change() {
    let (mut campaign, history) = begun(TASK);
    let mut reported = 0;
    let faults = [(EIO, false), (ENOSPC, false), (ENOSPC, true)];
    for at in 0..history.ops.len() {
        for (error, lasts) in faults {
            let root = folder();
            let sitting = sit(root.path(), TASK, Some(Planted { at, error, lasts }));
            let what = format!("error {error} at change {at}, {:?}", history.ops[at]);
            match sitting.ending {
                Err(refusal) => {
                    let words = refusal.to_string();
                    assert!(words.contains(&format!("{}/runs", root.path().display())), "{what}: {words}");
                    reported += 1;
                }
                // A leftover that cannot be removed stops nobody.
                Ok(_) => assert!(matches!(history.ops[at], Op::Remove(_)), "{what}: not a word"),
            }
            // The process ends, nothing else happens; what had been promised is there.
            let left = tree(root.path());
            let promised = sitting.history.promised(usize::MAX);
            let started = campaign.restart(&left).unwrap_or_else(|problem| panic!("{what}: {problem}"));
            for promise in promised {
                let kept = match (promise, started) {
                    (Promise::Saved(t), Some(started)) => started >= *t,
                    (_, started) => started.is_none(),
                };
                assert!(kept, "{what}: {promise:?} was lost, it went on from {started:?}");
            }
        }
    }
    println!(
        "{} faults, {reported} reported by name, every run continued to the same bytes",
        3 * history.ops.len()
    );
}

/// The model against the file system itself: what it says is there when everything survives is there.
#[test]
fn a_kill_leaves_what_the_model_says() {
    let root = folder();
    let history = sit(root.path(), TASK, None).history;
    assert_eq!(model::killed(&history.ops), tree(root.path()));
    let kinds: HashSet<_> = history.ops.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 6, "every change but a removal");
    // And a state that was laid out is the state.
    let again = folder();
    lay_out(&tree(root.path()), again.path());
    assert_eq!(tree(again.path()), tree(root.path()));
    Outcome::read(again.path(), TASK).expect("a run");
}
