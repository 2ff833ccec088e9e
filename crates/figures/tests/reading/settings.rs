//! Which runs are of one setting.

use crate::made::{Made, read};
use figures::reader::{OtherFiles, Records};

#[test]
fn runs_that_differ_in_their_recipe_are_of_different_settings() {
    let folder = tempfile::tempdir().unwrap();
    Made::new("bp", 1).write(&folder.path().join("a"));
    Made::new("bp", 1).with("optim.lr", "0.01").write(&folder.path().join("b"));
    Made::new("bp", 1).with("train.stop_after", "2").write(&folder.path().join("c"));
    Made::new("bp", 1).with("net.out_ln", "false").write(&folder.path().join("d"));
    // What is measured during training does not change the setting.
    Made::new("fa", 1).with("audit.every", "1.0").write(&folder.path().join("a"));
    let records = read(folder.path());
    let names: Vec<String> = records.trials.iter().map(|t| format!("{}: {}", t.rule, t.setting)).collect();
    assert_eq!(
        names,
        [
            "bp: CIFAR-10, ResMLP d=64 L=2 without terminal LN, 3 epochs",
            "bp: CIFAR-10, ResMLP d=64 L=2, 2 of 3 epochs",
            "bp: CIFAR-10, ResMLP d=64 L=2, 3 epochs, optim.lr = 0.001",
            "fa: CIFAR-10, ResMLP d=64 L=2, 3 epochs, optim.lr = 0.001",
            "bp: CIFAR-10, ResMLP d=64 L=2, 3 epochs, optim.lr = 0.01",
        ]
    );
}

/// A key that a record is older than has the value that held before it, for the setting as for the variant.
#[test]
fn runs_from_before_and_after_a_key_are_of_one_setting() {
    let folder = tempfile::tempdir().unwrap();
    let new = |rule, seed| Made::new(rule, seed).with("optim.clip", "0.0").with("rule.extra", "'none'");
    Made::new("bp", 1).write(&folder.path().join("old"));
    new("bp", 2).write(&folder.path().join("new"));
    new("fa", 2).write(&folder.path().join("new"));
    Made::new("fa", 2).with("optim.clip", "1.0").write(&folder.path().join("clipped"));
    let fill = |recipe: &mut protocol::baseline::Recipe| {
        recipe.entry("optim.clip".to_owned()).or_insert(0.0.into());
        recipe.entry("rule.extra".to_owned()).or_insert("none".into());
    };
    let paths = [folder.path().to_owned()];
    let records = Records::read_with(&paths, &fill, &OtherFiles::NONE).unwrap();
    let names: Vec<String> =
        records.trials.iter().map(|t| format!("{}: {}", t.variant(), t.setting)).collect();
    let setting = "CIFAR-10, ResMLP d=64 L=2, 3 epochs";
    let expected =
        [("bp", "no clipping"), ("bp", "no clipping"), ("fa", "no clipping"), ("fa", "clipped to norm 1")];
    assert_eq!(names, expected.map(|(rule, clip)| format!("{rule}: {setting}, {clip}")));
}
