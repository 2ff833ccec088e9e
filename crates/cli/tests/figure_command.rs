//! `creditscope figure`.

mod common;

use common::{creditscope, program, recipe, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Two rules, of which one with its frozen baseline, in a second.
const RUNS: &str = "
net.d = 16
net.blocks = 2
rule.name = ['bp', 'dfa']
rule.frozen = [false, true]
train.epochs = 3
eval.samples = 64
audit.samples = 40
audit.draws = 3
seed = [1, 2]
";

/// Trains the runs into `folder/runs`.
fn trained(folder: &Path) -> PathBuf {
    let (recipe, runs) = (recipe(folder, RUNS), folder.join("runs"));
    let output = program().arg("run").arg(&recipe).arg("--out").arg(&runs).output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    runs
}

/// Exit code, standard output, standard error.
fn figure(args: &[&str]) -> (i32, String, String) {
    let output = creditscope(&[&["figure"], args].concat());
    (output.status.code().expect("an exit code"), text(&output.stdout), text(&output.stderr))
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).expect("a file"))
    };
    entries.map(read).collect()
}

#[test]
fn runs_become_figures_with_the_same_bytes_in_every_process() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = trained(folder.path());
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let words = |out: &Path| {
        let from = runs.display().to_string();
        figure(&["all", "--from", &from, "--out", &out.display().to_string(), "--dpi", "100"])
    };
    let (code, said, complaints) = words(&first);
    assert_eq!(code, 0, "{complaints}");
    words(&second);
    let drawn = files(&first);
    assert!(drawn == files(&second), "two processes drew different bytes");
    for name in ["audit-hero", "verdicts", "nulls", "dissociation", "cifar-accuracy", "cifar-summary"] {
        for ending in ["pdf", "png", "svg", "csv"] {
            assert!(
                drawn.contains_key(&format!("{name}.{ending}")),
                "no {name}.{ending} among {:?}",
                drawn.keys()
            );
        }
        assert!(said.contains(&format!("{name}.{{pdf,png,svg,csv}}")), "{said}");
    }
    // What the records cannot give is said with what it needs.
    assert!(said.contains("Not drawn:") && said.contains("crossarch needs runs of `vit`"), "{said}");
    // Every number leads back to its runs.
    let table = text(&drawn["audit-hero.csv"]);
    for (rule, seed) in [("bp", 1), ("bp", 2), ("dfa", 1), ("dfa", 2)] {
        let line = table.lines().find(|line| line.contains(&format!("{rule}-s{seed};"))).expect("its run");
        assert!(
            line.starts_with("# source: run ") && line.contains("; recipe ") && line.contains("; data "),
            "{line}"
        );
    }
    for ending in ["svg", "pdf"] {
        let content = String::from_utf8_lossy(&drawn[&format!("audit-hero.{ending}")]).into_owned();
        assert!(content.contains("Creditscope"), "no creator in the {ending}");
    }
}

#[test]
fn check_compares_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let shown = out.display().to_string();
    let draw = |more: &[&str]| {
        figure(&[&["audit-hero", "--published", "--out", &shown, "--dpi", "50"], more].concat())
    };
    let (code, said, _) = draw(&["--check"]);
    assert_eq!(code, 1);
    assert!(said.contains("audit-hero.pdf is missing") && !out.exists(), "{said}");
    assert_eq!(draw(&[]).0, 0);
    let (code, said, _) = draw(&["--check"]);
    assert_eq!((code, said.contains("as the records have it")), (0, true), "{said}");
    let svg = out.join("audit-hero.svg");
    let mut changed = std::fs::read(&svg).expect("drawn");
    changed.push(b'\n');
    std::fs::write(&svg, &changed).expect("written");
    let (code, said, _) = draw(&["--check"]);
    assert_eq!((code, said.trim()), (1, format!("{} differs", svg.display()).as_str()));
    assert_eq!(std::fs::read(&svg).expect("still there"), changed);
}

#[test]
fn published_values_appear_only_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = trained(folder.path()).display().to_string();
    let drawn = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let shown = out.display().to_string();
        let (code, _, said) =
            figure(&[&["audit-hero", "--from", &runs, "--out", &shown, "--format", "svg"], more].concat());
        assert_eq!(code, 0, "{said}");
        text(&std::fs::read(out.join("audit-hero.csv")).expect("drawn"))
    };
    // .6147 is the accuracy of BP that the original figure shows.
    assert!(!drawn("without", &[]).contains("0.6147"));
    let with = drawn("with", &["--published"]);
    let line = with.lines().find(|line| line.contains("0.6147")).expect("the published value");
    assert!(line.contains("BP (publ.)"), "{line}");
    assert!(with.contains("# source: published: fig1_audit_hero.py"), "{with}");
}

#[test]
fn nonsense_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let here = |name: &str| folder.path().join(name).display().to_string();
    std::fs::create_dir_all(folder.path().join("results/cifar10")).expect("created");
    let write = |content: &str| {
        std::fs::write(folder.path().join("results/cifar10/results_cifar10.json"), content).expect("written");
    };
    let log = |lists: &str| format!(r#"{{"42": {{"bp": {{"log": {{{lists}}}}}}}}}"#);
    let refused = |args: &[&str], words: &[&str]| {
        let (code, _, said) = figure(args);
        assert_eq!(code, 2, "{args:?}: {said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is not in: {said}");
        }
    };
    refused(&["audit-heroo", "--published"], &["no figure `audit-heroo`", "audit-hero?", "figure list"]);
    refused(&["all"], &["--from", "--published"]);
    refused(&["all", "--from", &here("nowhere")], &["nowhere does not exist"]);
    let bad_label = ["audit-hero", "--published", "--label", "dfa=$\\nosuch$"];
    refused(&bad_label, &["--label", "$\\nosuch$", "not understood"]);
    refused(&["audit-hero", "--published", "--label", "dfa=$x"], &["`$`", "closes"]);
    refused(&["audit-hero", "--published", "--series", "cosine"], &["`--series`", "in series only"]);
    refused(&["series", "--published", "--series", "cosine"], &["--series cosine", "hold no series"]);
    refused(&["audit-hero", "--published", "--label", "zzz=Z"], &["no run of a rule `zzz`"]);
    refused(&["audit-hero", "--published", "--out", "/dev/null/x"], &["/dev/null", "in the way"]);
    refused(
        &["audit-hero", "--published", "--width", "1", "--out", &here("out")],
        &["too narrow", "larger width"],
    );
    refused(&["audit-hero", "--published", "--font", "Comic"], &["Comic", "libertinus"]);
    refused(&["audit-hero", "--published", "--image", &here("none.svg")], &["none.svg"]);
    refused(
        &["audit-hero", "--published", "--image", &here("network.pdf")],
        &["convert it first", "pdftocairo -svg", "network.svg"],
    );
    write(&log(r#""train_acc": [], "test_acc": [], "train_loss": []"#));
    refused(&["all", "--from", &here("results")], &["results_cifar10.json", "42/bp/log", "empty"]);
    write(&log(r#""train_acc": [0.1, 0.2], "test_acc": [0.1], "train_loss": [2.0, 1.0]"#));
    refused(&["all", "--from", &here("results")], &["results_cifar10.json", "test_acc", "1 epochs"]);
    write("{");
    refused(&["all", "--from", &here("results")], &["results_cifar10.json", "not JSON"]);
    // Seeds of different lengths: each file is whole, together they have no mean.
    write(&log(r#""train_acc": [0.1, 0.2], "test_acc": [0.1, 0.2], "train_loss": [2.0, 1.0]"#));
    std::fs::create_dir_all(folder.path().join("results/cifar10_seed123")).expect("created");
    let other =
        log(r#""train_acc": [0.1], "test_acc": [0.1], "train_loss": [2.0]"#).replace("\"42\"", "\"123\"");
    let path = folder.path().join("results/cifar10_seed123/results_cifar10.json");
    std::fs::write(path, other).expect("written");
    let args = ["cifar-accuracy", "--from", &here("results")];
    refused(&args, &["cifar10_seed123", "2 epochs", "need one length"]);
}

#[test]
fn a_file_of_ones_own_is_drawn_and_redrawn_by_its_script() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = trained(folder.path());
    let here = |args: &[&str]| {
        let output =
            program().current_dir(folder.path()).arg("figure").args(args).output().expect("it starts");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, said, complaints) = here(&["init", "layers"]);
    assert!(code == Some(0) && said.contains("figure my-layers.toml --from runs/"), "{said}{complaints}");
    assert_eq!(here(&["init", "mine"]).0, Some(0));
    let (code, _, said) = here(&["init", "mine"]);
    assert!(code == Some(2) && said.contains("exists already"), "{said}");
    let from = runs.display().to_string();
    let draw = ["my-layers.toml", "mine.toml", "--from", &from, "--python", "--format", "svg"];
    let (code, said, complaints) = here(&draw);
    assert!(code == Some(0) && said.contains("mine.{svg,csv,py}"), "{said}{complaints}");
    assert_eq!(here(&[&draw[..], &["--check"]].concat()).0, Some(0));
    let (code, _, said) = here(&["mine.tom.toml", "--from", &from]);
    assert!(code == Some(2) && said.contains("mine.tom.toml"), "{said}");
    std::fs::write(folder.path().join("verdicts.toml"), "[[panel]]\ny = 'test_accuracy'").expect("written");
    let (code, _, said) = here(&["verdicts", "verdicts.toml", "--from", &from]);
    assert!(code == Some(2) && said.contains("rename the file"), "{said}");
    let script = std::fs::read_to_string(folder.path().join("figures/my-layers.py")).expect("a script");
    assert!(script.lines().count() <= 60);
    let python = std::env::var_os("CREDITSCOPE_PYTHON").unwrap_or_else(|| "python3".into());
    let can = std::process::Command::new(&python).args(["-c", "import matplotlib"]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        println!("skipped: the scripts, for want of a CREDITSCOPE_PYTHON that imports matplotlib");
        return;
    }
    for name in ["my-layers", "mine"] {
        let script = folder.path().join(format!("figures/{name}.py"));
        let output = std::process::Command::new(&python)
            .arg(script)
            .env("MPLBACKEND", "agg")
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(folder.path().join(format!("figures/{name}-redrawn.png")).is_file(), "{name}");
    }
}

#[test]
fn options_are_given_by_flags_and_by_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = trained(folder.path()).display().to_string();
    let write = |name: &str, content: &str| {
        std::fs::write(folder.path().join(name), content).expect("written");
        folder.path().join(name).display().to_string()
    };
    let config = write("figures.toml", "rules = ['dfa', 'bp']\nbare = true\nvenue = 'icml'\n");
    let own = write("mine.toml", "width = 3\n[[panel]]\ny = 'test_accuracy'\n");
    let drawn = |out: &str, args: &[&str]| {
        let out = folder.path().join(out);
        let shown = out.display().to_string();
        let all = [args, &["--from", &runs, "--out", &shown, "--format", "svg"]].concat();
        let (code, said, complaints) = figure(&all);
        assert_eq!(code, 0, "{complaints}");
        (said, files(&out))
    };
    let (said, made) = drawn("a", &["cifar-summary", &own, "--config", &config]);
    assert!(said.contains("cifar-summary.{svg,tex,txt,csv}"), "{said}");
    let head = |made: &BTreeMap<String, Vec<u8>>, name: &str| text(&made[name])[..200].to_owned();
    // 6.75 inches of the venue, but what the figure's own file says.
    assert!(
        head(&made, "cifar-summary.svg").contains("width=\"486pt\""),
        "{}",
        head(&made, "cifar-summary.svg")
    );
    assert!(head(&made, "mine.svg").contains("width=\"216pt\""), "{}", head(&made, "mine.svg"));
    let table = text(&made["cifar-summary.csv"]);
    assert!(table.find(",dfa,").expect("dfa") < table.find(",bp,").expect("bp"));
    let (_, made) = drawn("b", &[&own, "--rules", "bp"]);
    assert!(!text(&made["mine.csv"]).contains(",dfa,"));
    let (_, made) = drawn("c", &[&own, "--config", &config, "--width", "4", "--rules", "bp"]);
    assert!(head(&made, "mine.svg").contains("width=\"288pt\""));
    // What does not fit some figures of `all` is said, and the others are drawn.
    let (said, made) = drawn("d", &["all", "--panel", "b"]);
    assert!(
        made.contains_key("cifar-accuracy.svg") && said.contains("cifar-summary: `--panel`: no panel `b`"),
        "{said}"
    );
    let refused = |args: &[&str], words: &str| {
        let (code, _, said) = figure(&[args, &["--from", &runs]].concat());
        assert!(code == 2 && said.contains(words), "{args:?}: {said}");
    };
    refused(
        &["cifar-summary", "--rules", "dfaa"],
        "`--rules`: no run of a rule `dfaa` is among the records; did you mean `dfa`?",
    );
    refused(&["cifar-summary", "--venue", "nurips"], "did you mean `neurips`?");
    refused(&["cifar-summary", "--svg-text", "--venue", "icml", "--style", "paper"], "`--style`:");
    refused(&["cifar-summary", "--settings", "d=17"], "there are 16 (8 runs)");
    let wrong = write("wrong.toml", "bare = true\nrule = 'bp'\n");
    refused(
        &["cifar-summary", "--config", &wrong],
        "wrong.toml:2: unknown key `rule`: did you mean `rules`?",
    );
    refused(&["cifar-summary", "--config", &own], "`panel`: give a text");
}

#[test]
fn a_schema_of_another_version_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runs = trained(folder.path());
    let path = runs.join("bp-s1/run.json");
    let record = std::fs::read_to_string(&path).expect("a record");
    std::fs::write(&path, record.replace("creditscope.run/1", "creditscope.run/99")).expect("written");
    let (code, _, said) = figure(&["all", "--from", &runs.display().to_string()]);
    assert_eq!(code, 2);
    assert!(said.contains("bp-s1/run.json") && said.contains("creditscope.run/99"), "{said}");
}

#[test]
fn the_list_names_every_figure() {
    let (code, said, _) = figure(&["list"]);
    assert_eq!(code, 0);
    for entry in figures::FIGURES {
        assert!(said.lines().any(|line| line.starts_with(entry.name)), "{} is not in:\n{said}", entry.name);
    }
    assert!(said.lines().all(|line| line.chars().count() <= 80), "wider than 80 columns:\n{said}");
}

/// The figures that are kept are those of the records that are kept, by the commands beside them.
#[test]
fn kept_figures_are_drawn_from_kept_records() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/figures/README.md")).expect("a page");
    let commands: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("creditscope figure ")).collect();
    assert!(!commands.is_empty());
    for command in commands {
        let args = command.split_whitespace().chain(["--check", "--format", "svg"]);
        let output = program().current_dir(&root).arg("figure").args(args).output().expect("it starts");
        assert!(output.status.success(), "{command}:\n{}{}", text(&output.stdout), text(&output.stderr));
    }
}

/// Figures of a folder of several studies compare as many rules as one setting has, and find a rule wherever it is. Runs from
/// before a key and from after it are of one setting.
#[test]
fn rules_are_found_among_all_kept_records() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().expect("a temporary folder");
    let names = ["audit-hero", "verdicts", "nulls", "dissociation", "cifar-state-vs-credit"];
    let mut command = program();
    command.current_dir(&root).arg("figure").args(names).args(["--from", "docs/results", "--format", "svg"]);
    let output = command.arg("--out").arg(out.path()).output().expect("it starts");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    for name in names {
        let table = std::fs::read_to_string(out.path().join(format!("{name}.csv"))).expect("a table");
        for rule in ["fa", "dfa", "state_bridge", "credit_bridge"] {
            assert!(table.contains(&format!("source: run {rule}-s42")), "{name}, {rule}:\n{table}");
        }
    }
    assert!(!said.contains("unset"), "{said}");
}

/// A folder of several studies: a figure is of the setting that has what it shows, and says which that is.
#[test]
fn the_setting_with_a_penalty_is_found_among_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().expect("a temporary folder");
    let mut command = program();
    command.current_dir(&root).args(["figure", "penalty-rescue", "lambda-sweep", "--from", "docs/results"]);
    let output = command.args(["--format", "svg", "--out"]).arg(out.path()).output().expect("it starts");
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert_eq!(said.matches("setting: CIFAR-10, ResMLP d=256 L=4, 30 epochs").count(), 2, "{said}");
    for name in ["penalty-rescue.csv", "lambda-sweep.csv"] {
        let rows = |folder: &Path| -> Vec<String> {
            let table = std::fs::read_to_string(folder.join(name)).expect("a table");
            // Where bars stand depends on how many there are.
            let values = |line: &str| line.split(',').take(8).collect::<Vec<_>>().join(",");
            table.lines().filter(|line| !line.starts_with('#')).map(values).collect()
        };
        // Other studies of the same setting have further penalties.
        let drawn = rows(out.path());
        let missing: Vec<String> =
            rows(&root.join("docs/figures")).into_iter().filter(|row| !drawn.contains(row)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}
