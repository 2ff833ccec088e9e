//! `creditscope run`, `init`, `completions` and the help, as a user meets them.

mod common;

use common::{creditscope, program, recipe, text};
use std::path::Path;

const SMALL: &str = "data.name = 'digits'\nnet.d = 16\nnet.blocks = 2\ntrain.epochs = 2\naudit.every = 0\n";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn run(recipe: &Path, out: &Path, more: &[&str]) -> std::process::Output {
    program()
        .args(["run", &recipe.display().to_string(), "--out", &out.display().to_string()])
        .args(more)
        .output()
        .expect("the program starts")
}

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

/// Seeds are averaged; whatever else is swept stands by itself.
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

/// As in `creditscope run … 2>&1 | head -1`: nobody reads on, and training goes on all the same.
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

#[test]
fn init_asks_about_the_chosen_data_network_and_rules() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (small, all, lq) = (path("small.toml"), path("all.toml"), path("lq.toml"));
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
fn every_command_has_help_with_an_example_and_completions() {
    for command in [
        vec!["demo"],
        vec!["run"],
        vec!["init"],
        vec!["runs"],
        vec!["runs", "list"],
        vec!["runs", "show"],
        vec!["runs", "diff"],
        vec!["audit"],
        vec!["explain"],
        vec!["data"],
        vec!["data", "list"],
        vec!["data", "verify"],
        vec!["data", "fetch"],
        vec!["export"],
        vec!["export", "paper-json"],
        vec!["completions"],
    ] {
        let mut args = command.clone();
        args.push("--help");
        let help = text(&creditscope(&args).stdout);
        let example = format!("creditscope {}", command.join(" "));
        let after = help.split_once("Example").map_or("", |(_, after)| after);
        assert!(after.contains(&example), "{command:?} shows no example:\n{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&creditscope(&["completions", shell]).stdout).contains("creditscope"));
    }
    insta::assert_snapshot!(text(&creditscope(&["--help"]).stdout));
}
