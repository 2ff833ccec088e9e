//! `creditscope init`: the recipe that it writes.

use crate::common::{creditscope, text};
use crate::made::{folder, run};

#[test]
fn init_asks_about_the_chosen_data_network_and_rules() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let small = path("small.toml");
    let all = path("all.toml");
    let lq = path("lq.toml");
    let chosen = ["--data", "digits", "--net", "vit", "--rules", "bp,kolen_pollack"];
    assert!(creditscope(&[&["init", &small], &chosen[..]].concat()).status.success());
    assert!(creditscope(&[&["init", &all, "--all"], &chosen[..]].concat()).status.success());
    assert!(creditscope(&["init", &lq, "--data", "lq"]).status.success());
    let [small, all, lq] = [small, all, lq].map(|path| std::fs::read_to_string(path).expect("a recipe"));
    assert!(
        small.contains("patch = 4") && small.contains("decay = 0.15") && !small.contains("w2_std"),
        "{small}"
    );
    assert!(small.lines().count() < all.lines().count() && all.contains("w2_std"), "{all}");
    assert!(lq.contains("name = \"lq\"") && lq.contains("# train = 25600"), "{lq}");
    for (flag, value, words) in [
        ("--data", "cifar", "`data.name` is `cifar`"),
        ("--net", "lq", "net.name"),
        ("--rules", "bp,dfaa", "one of bp"),
    ] {
        let output = creditscope(&["init", &path("wrong.toml"), flag, value]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
        assert!(!folder.path().join("wrong.toml").exists());
    }
}

#[test]
fn init_writes_a_recipe_that_runs_and_never_overwrites() {
    let folder = folder();
    let path = folder.path().join("mine.toml");
    let name = path.display().to_string();
    assert!(creditscope(&["init", &name]).status.success());
    let small = ["--set", "data.name=digits", "--set", "train.epochs=1", "--set", "net.d=8"];
    let output = run(&path, &folder.path().join("out"), &small);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let before = std::fs::read(&path).expect("the recipe");
    let again = creditscope(&["init", &name]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("exists already"));
    assert_eq!(before, std::fs::read(&path).expect("the recipe"));
}

#[test]
fn init_prints_to_standard_output_where_it_is_named() {
    let folder = folder();
    let run = || {
        crate::common::program().args(["init", "-"]).current_dir(folder.path()).output().expect("it starts")
    };
    let printed = text(&run().stdout);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file is called -");
    assert!(
        creditscope(&["init", &folder.path().join("recipe.toml").display().to_string()]).status.success()
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("recipe.toml")).expect("a recipe"), printed);
}
