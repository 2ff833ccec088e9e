//! `creditscope runs list`: one line per run, broken and stopped ones included.

use crate::made::{edit, reads, reads_share, row, runs, shown, train};
use record::Run;
use serde_json::Value;

#[test]
fn a_list_has_a_line_for_every_run_with_its_last_measurements() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &[]);
    let (code, table, err) = runs(&["list", &shown(folder.path())]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, json, _) = runs(&["list", &shown(folder.path()), "--json"]);
    let objects: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 4);
    for (id, object) in ["bp-s1", "bp-s2", "dfa-s1", "dfa-s2"].into_iter().zip(objects) {
        let run = Run::read(&folder.path().join(id)).expect("a run");
        let last = run.last().expect("an epoch");
        // The gradient of the mean over 128 samples is that of a sample divided by 128.
        let g = last.evaluation.gradient()[2] / 128.0;
        let (rule, seed) = id.split_once("-s").expect("rule and seed");
        let words = row(&table, id);
        assert_eq!(words[..3], [id, "finished", "3/3"]);
        assert!(
            reads_share(words[3], last.test.accuracy) && reads(words[4], last.evaluation.growth),
            "{words:?}"
        );
        assert!(reads(words[5], g), "{words:?} {g}");
        // What the runs share is not said of each; what they differ in is.
        let differing = object["recipe"].as_object().expect("an object");
        assert_eq!(differing.keys().collect::<Vec<_>>(), ["rule.name", "rule.normalise", "seed"]);
        assert_eq!(differing["rule.name"], rule);

        assert_eq!((&object["id"], &object["rule"]), (&id.into(), &rule.into()));
        assert_eq!(object["path"], shown(&run.path));
        assert_eq!(object["seed"].to_string(), seed);
        assert_eq!((&object["status"], &object["epoch"]), (&"finished".into(), &3.into()));
        assert_eq!(object["test_accuracy"], last.test.accuracy);
        assert_eq!(object["growth"], last.evaluation.growth);
        assert_eq!(object["g_last_n128"], g);
        assert_eq!(object["recipe_hash"], run.record.provenance.recipe_hash);
        assert_eq!(object["data_hash"], run.record.provenance.data_hash);
    }
}

#[test]
fn a_broken_run_is_listed_with_its_problem_and_hides_no_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &[]);
    let damaged = folder.path().join("bp-s1");
    std::fs::write(damaged.join("run.json"), "{\"schema\": ").expect("written");
    edit(folder.path().join("bp-s2/run.json"), "creditscope.run/1", "creditscope.run/9");
    edit(folder.path().join("dfa-s1/metrics.jsonl"), "\"epoch\":1", "\"epoch\":\"one\"");
    let (code, table, err) = runs(&["list", &shown(folder.path())]);
    assert_eq!(code, 0);
    assert!(err.contains("3 of 4 runs"), "{err}");
    assert_eq!(row(&table, "dfa-s2")[1], "finished");
    // A note may run over several lines; those after the first are indented.
    let joined = table.replace("\n  ", " ");
    for (id, word) in
        [("bp-s1", "run.json"), ("bp-s2", "creditscope.run/9"), ("dfa-s1", "metrics.jsonl: line 2")]
    {
        assert_eq!(row(&table, id)[1], "unreadable");
        let note = joined.lines().find(|line| line.starts_with(&format!("{id} cannot be read: ")));
        assert!(note.is_some_and(|note| note.contains(word)), "{table}");
    }
    let (_, json, _) = runs(&["list", &shown(folder.path()), "--json"]);
    let first: Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert!(first["problem"].as_str().is_some_and(|problem| problem.contains("remove the run directory")));

    // Asked for the broken one itself, there is nothing to show.
    for action in ["list", "show"] {
        let (code, _, err) = runs(&[action, &shown(&damaged)]);
        assert_eq!(code, 2);
        assert!(err.contains("bp-s1"), "{err}");
    }
    std::fs::remove_file(folder.path().join("dfa-s2/recipe.toml")).expect("removed");
    let (code, _, err) = runs(&["show", &shown(&folder.path().join("dfa-s2"))]);
    assert_eq!(code, 2);
    assert!(err.contains("recipe.toml") && err.contains("restore"), "{err}");
}

#[test]
fn paths_without_runs_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let missing = folder.path().join("missing");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).expect("created");
    for (path, words) in [(&missing, "does not exist"), (&empty, "holds no run"), (&file, "is a file")] {
        let path = shown(path);
        for args in [vec!["list", &path], vec!["show", &path], vec!["diff", &path, &path]] {
            let (code, out, err) = runs(&args);
            assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
            assert!(err.contains(&path) && err.contains(words) && err.contains("give"), "{err}");
        }
    }
}

#[test]
fn a_stopped_run_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    train(folder.path(), &["--rules", "dfa", "--seeds", "1", "--set", "optim.lr=100000"]);
    let run = Run::read(&folder.path().join("dfa-s1")).expect("a run");
    let record::Status::Stopped { reason, .. } = &run.record.status else {
        panic!("not stopped: {:?}", run.record.status)
    };
    let (code, table, _) = runs(&["list", &shown(folder.path())]);
    assert_eq!((code, row(&table, "dfa-s1")[1]), (0, "stopped"));
    assert!(table.replace("\n  ", " ").ends_with(&format!("dfa-s1 was stopped: {reason}\n")), "{table}");
    let (code, text, _) = runs(&["show", &shown(&run.path)]);
    assert_eq!(code, 0);
    assert!(text.lines().next().is_some_and(|line| line.ends_with(reason.as_str())), "{text}");
}
