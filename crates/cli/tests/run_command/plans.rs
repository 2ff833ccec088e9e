//! Which runs are trained: dry runs, shards and single runs of a plan.

use crate::common::{self, recipe, text};
use crate::made::{SMALL, folder, run};
use std::path::Path;

#[test]
fn a_dry_run_lists_runs_and_creates_nothing() {
    let folder = folder();
    let recipe = recipe(folder.path(), SMALL);
    let out = folder.path().join("out");
    let output = run(
        &recipe,
        &out,
        &["--dry-run", "--seeds", "1,2", "--rules", "bp,fa", "--set", "optim.lr=[1e-3,1e-4]"],
    );
    let table = text(&output.stdout);
    assert!(output.status.success());
    for id in ["bp-lr0.001-s1", "fa-lr0.0001-s2"] {
        assert!(table.contains(id), "{table}");
    }
    // 1,437 samples in batches of 128 are 12 steps an epoch.
    assert!(table.contains("8 runs") && table.contains("steps 24,") && table.contains("disk"), "{table}");
    assert!(!out.exists());
    // Sizes without end are sums that do not overflow.
    let huge = run(&recipe, &out, &["--dry-run", "--set", "train.epochs=4294967296", "--set", "net.d=4000"]);
    assert!(huge.status.success(), "{}", text(&huge.stderr));
    let seeds = (0..500).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let many = run(&recipe, &out, &["--dry-run", "--seeds", &seeds]);
    assert!(text(&many.stdout).contains("… and 440 more") && text(&many.stdout).contains("500 runs"));
}

/// Every run in exactly one shard, in the directory that it has in the whole plan, with the same results.
#[test]
fn shards_together_are_the_whole_plan() {
    let folder = folder();
    let text_of = format!("{SMALL}rule.name = ['bp', 'fa', 'dfa']\noptim.lr = [1e-3, 1e-4]\nseed = [1, 2]\n");
    let recipe = recipe(folder.path(), &text_of);
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    assert!(run(&recipe, &whole, &[]).status.success());
    let names = |out: &Path| {
        let entries = std::fs::read_dir(out).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    };
    for index in 0..5 {
        let before = if parts.exists() { names(&parts) } else { Vec::new() };
        let dry = run(&recipe, &parts, &["--shard", &format!("{index}/5"), "--dry-run"]);
        // Without --resume, a run that another shard has trained would be refused.
        let output = run(&recipe, &parts, &["--shard", &format!("{index}/5")]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let new: Vec<String> = names(&parts).into_iter().filter(|name| !before.contains(name)).collect();
        assert_eq!(new.len(), if index < 2 { 3 } else { 2 });
        let said = text(&dry.stdout);
        let first_words = said.lines().filter_map(|line| line.split_whitespace().next());
        let mut listed: Vec<&str> =
            first_words.filter(|word| names(&whole).iter().any(|n| n == word)).collect();
        listed.sort_unstable();
        assert_eq!(listed, new, "shard {index} lists its own runs:\n{said}");
        let said = text(&output.stdout);
        assert!(
            said.contains(&format!("{} runs in ", new.len())),
            "shard {index} reports on its own runs:\n{said}"
        );
    }
    assert_eq!(names(&parts), names(&whole));
    for name in names(&whole) {
        assert_eq!(common::metrics(&whole.join(&name)), common::metrics(&parts.join(&name)), "{name}");
    }
    let more = run(&recipe, &parts, &["--shard", "12/20", "--resume"]);
    assert!(more.status.success() && text(&more.stdout).contains("Shard 12/20 has no run"));
    // Of the runs that are named, every second.
    let both = ["--only", "dfa-lr0.001-s1,bp-lr0.001-s1,fa-lr0.0001-s2", "--shard", "0/2", "--dry-run"];
    let both = text(&run(&recipe, &parts, &both).stdout);
    assert!(
        both.contains("2 runs") && both.contains("bp-lr0.001-s1") && both.contains("dfa-lr0.001-s1"),
        "{both}"
    );
}

#[test]
fn runs_that_are_not_there_and_shards_that_cannot_be_are_refused() {
    let folder = folder();
    let recipe = recipe(folder.path(), &format!("{SMALL}rule.name = ['bp', 'fa']\n"));
    let out = folder.path().join("out");
    for (more, words) in [
        (["--only", "bp-s4"], "no run is called `bp-s4`: did you mean `bp-s42`? It has bp-s42, fa-s42"),
        (["--only", "bp-s42,nonsense"], "no run is called `nonsense`: It has bp-s42, fa-s42"),
        (["--shard", "2/2"], "give I/N with 0 ≤ I < N"),
        (["--shard", "0/0"], "give I/N"),
        (["--shard", "-1/2"], "unexpected argument"),
        (["--shard", "1"], "such as 0/4"),
    ] {
        let output = run(&recipe, &out, &more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {message}");
        assert!(message.contains(words), "{more:?}: {message}");
    }
    assert!(!out.exists());
    let one = run(&recipe, &out, &["--only", "fa-s42"]);
    assert!(one.status.success() && out.join("fa-s42").is_dir() && !out.join("bp-s42").exists());
    // The rest of the plan, with what is there left as it is.
    let rest = run(&recipe, &out, &["--resume"]);
    assert!(rest.status.success() && out.join("bp-s42").is_dir());
    assert_eq!(record::RunRecord::read(&out.join("fa-s42")).expect("a record").provenance.resumed, 0);
}
