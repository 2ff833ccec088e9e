//! `data.name = "file.npz"`: a user's own data are trained on, resumed and judged like the built-in ones. The oracle is the built-in
//! set of digits, saved as a user would.

mod common;
#[path = "../../data/src/own/tests/savez.rs"]
#[expect(dead_code, reason = "the tests of data use all of it")]
mod savez;

use common::{SMALL, go, options, runs, train};
use lab::{AuditOptions, audit_runs};
use record::audit::Audit;
use record::{Epoch, Run, Status};
use savez::{Saved, floats, labels};
use std::path::Path;

const RECIPE: &str = "rule.name = ['bp', 'dfa']\n";

/// Digits as a stranger's arrays: normalised numbers.
fn save_digits(path: &Path) {
    let digits = data::load(&data::DataSpec::Digits, &data::Folder::at("/nonexistent")).expect("built in");
    let part = |x, y, split: &data::Split| -> [Saved; 2] {
        let mut values = vec![0.0; split.len() * split.inputs()];
        split.fill(0, &mut values, &mut vec![0; split.len()]);
        let classes: Vec<i64> = split.labels().iter().map(|&label| label.into()).collect();
        [
            floats(x, &format!("({}, {})", split.len(), split.inputs()), &values),
            labels(y, &format!("({},)", split.len()), &classes),
        ]
    };
    let [x, y] = part("x_train", "y_train", &digits.train);
    let [unseen, answers] = part("x_test", "y_test", &digits.test);
    savez::savez(path, &[x, y, unseen, answers]);
}

fn recipe(file: &Path) -> String {
    let small = SMALL.replace("data.name = 'digits'", &format!("data.name = '{}'", file.display()));
    assert_ne!(small, SMALL);
    small + RECIPE
}

fn timeless(run: &Run) -> Vec<Epoch> {
    run.epochs.iter().map(Epoch::timeless).collect()
}

fn audited(runs: &[Run]) -> Vec<Audit> {
    let options = AuditOptions {
        samples: 64,
        directions: 4,
        draws: 4,
        ..AuditOptions::new(data::Folder::at("/nonexistent"))
    };
    audit_runs(runs, &options, &|_| {}).expect("nothing is refused").sweeps.remove(0).set.audits
}

#[test]
fn the_same_samples_in_a_file_train_and_judge_to_the_same_numbers() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let file = home.path().join("mine.npz");
    save_digits(&file);
    let own = train(&recipe(&file), &home.path().join("own"));
    let built_in = train(&format!("{SMALL}{RECIPE}"), &home.path().join("built-in"));
    for (own, built_in) in own.iter().zip(&built_in) {
        assert_eq!(timeless(own), timeless(built_in), "{}", own.record.id);
        assert_eq!(own.record.provenance.data, "mine.npz");
    }
    for (own, built_in) in audited(&own).iter().zip(&audited(&built_in)) {
        let case = own.subject.id();
        assert_eq!(own.units, built_in.units, "{case}");
        assert_eq!(own.states, built_in.states, "{case}");
        assert_eq!(own.verdict, built_in.verdict, "{case}");
    }
}

/// A file that moves is the same data; one that changes is not, whatever its name.
#[test]
fn a_run_belongs_to_the_name_and_the_content_of_its_file() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let [here, there] = ["a", "b"].map(|folder| home.path().join(folder).join("mine.npz"));
    for file in [&here, &there] {
        std::fs::create_dir(file.parent().expect("a folder")).expect("made");
        save_digits(file);
    }
    let identities = [&here, &there].map(|file| runs(&recipe(file)).remove(0).identity);
    assert_eq!(identities[0].hash(), identities[1].hash());
    let out = home.path().join("runs");
    let trained = train(&recipe(&here), &out);
    let again = lab::Options { resume: true, ..options(&out) };
    let written = |run: &Run| {
        std::fs::metadata(run.path.join(Run::METRICS)).and_then(|log| log.modified()).expect("there")
    };
    let before: Vec<_> = trained.iter().map(written).collect();
    for ending in go(&recipe(&there), &again).expect("nothing is refused") {
        assert_eq!(ending.expect("no trouble"), Some(Status::Finished));
    }
    assert_eq!(before, trained.iter().map(written).collect::<Vec<_>>(), "nothing is trained again");
    // A file that is gone, and one that is another: the log has to do, and the page says why.
    let doubts = |runs: &[Run]| {
        let audits = audited(runs);
        let dfa = audits.iter().find(|audit| audit.subject.rule() == Some("dfa")).expect("judged").clone();
        assert!(dfa.units.iter().all(|unit| unit.here.as_ref().is_none_or(|found| found.rho.is_none())));
        format!("{:?}", dfa.warnings)
    };
    std::fs::rename(&here, here.with_extension("gone")).expect("moved");
    let words = doubts(&trained);
    assert!(words.contains("mine.npz") && words.contains("cannot be read"), "{words}");
    let other = floats("x_train", "(200, 64)", &[0.5; 200 * 64]);
    let classes: Vec<i64> = (0..200).map(|i| i % 10).collect();
    savez::savez(
        &here,
        &[
            other,
            labels("y_train", "(200,)", &classes),
            floats("x_test", "(200, 64)", &[0.5; 200 * 64]),
            labels("y_test", "(200,)", &classes),
        ],
    );
    let words = doubts(&trained);
    assert!(words.contains("changed"), "{words}");
}

#[test]
fn few_test_samples_are_all_measured() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let file = home.path().join("few.npz");
    let classes: Vec<i64> = (0..40).map(|i| i % 4).collect();
    let values: Vec<f32> = (0..40 * 6).map(|i| (i as f32 * 0.7).sin()).collect();
    savez::savez(
        &file,
        &[
            floats("x_train", "(40, 6)", &values),
            labels("y_train", "(40,)", &classes),
            floats("x_test", "(10, 6)", &values[..60]),
            labels("y_test", "(10,)", &classes[..10]),
        ],
    );
    let recipe = format!(
        "data.name = '{}'\nnet.d = 8\nnet.blocks = 1\ntrain.epochs = 1\ntrain.batch = 20\naudit.every = 0\n",
        file.display()
    );
    let run = train(&recipe, home.path()).remove(0);
    assert_eq!(run.last().expect("an epoch").evaluation.samples, 10);
}
