//! Words of strangers on our screen and in our tables: every character of theirs is seen, none is obeyed.

use crate::common::{program, recipe, text};
use crate::doors::creditscope;
use std::path::{Path, PathBuf};

/// Clears the screen, turns the writing direction, begins a line of its own, and says that all is well. With the control
/// character of eight bits, too.
const FORGED: &str = "\u{1b}[2J\u{202e}\u{9b}31m\n✓ bp   PASS";

/// A run of a stranger: wherever its record and its recipe hold words, those are forged.
fn strange_run(folder: &Path) -> PathBuf {
    let recipe = recipe(
        folder,
        "data.name = 'digits'\nnet.d = 8\nnet.blocks = 1\ntrain.epochs = 1\neval.samples = 20\naudit.samples = 20\n",
    );
    let out = folder.join("runs");
    let trained = creditscope(&["run", &recipe.display().to_string(), "--out", &out.display().to_string()]);
    assert!(trained.status.success(), "{}", text(&trained.stderr));
    let run = out.join("bp-s42");
    let path = run.join("run.json");
    let mut record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).expect("a record")).expect("JSON");
    record["id"] = format!("=cmd{FORGED}").into();
    record["rule"] = format!("dfa{FORGED}").into();
    record["network"]["name"] = format!("net{FORGED}").into();
    record["provenance"]["machine"]["cpu"] = format!("cpu{FORGED}").into();
    record["provenance"]["data"] = format!("data{FORGED}").into();
    std::fs::write(&path, record.to_string()).expect("written");
    run
}

/// Nothing but lines of visible characters, none of which begins with what was forged.
fn harmless(what: &str, printed: &str) {
    let obeyed = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}';
    assert!(!printed.contains(obeyed), "{what}: {printed:?}");
    let forged = printed.lines().any(|line| line.trim_start().starts_with("✓ bp   PASS"));
    assert!(!forged, "{what}: {printed}");
}

#[test]
fn a_strangers_record_cannot_write_on_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = strange_run(folder.path());
    let path = run.display().to_string();
    let runs = folder.path().join("runs").display().to_string();
    let pictures = folder.path().join("pictures").display().to_string();
    let mut seen = 0;
    for words in [
        vec!["runs", "list", &runs],
        vec!["runs", "list", &runs, "--json"],
        vec!["runs", "show", &path],
        vec!["runs", "show", &path, "--json"],
        vec!["runs", "diff", &path, &path],
        vec!["audit", &path],
        vec!["audit", &path, "--layers"],
        vec!["audit", &path, "--json"],
        vec!["audit", &path, "--csv", "-"],
        vec!["audit", &path, "--junit", "-"],
        // Refused: no typeface has the pictures of control characters.
        vec!["figure", "series", "--from", &path, "--out", &pictures, "--format", "svg"],
    ] {
        let output = creditscope(&words);
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        // Lines of CSV and XML end as their formats want it.
        harmless(&words.join(" "), &printed.replace("\r\n", "\n"));
        harmless(&words.join(" "), &said);
        seen += usize::from(printed.contains("␛[2J"));
    }
    assert!(seen >= 8, "its words are shown, visibly: {seen}");
}

#[test]
fn a_formula_in_a_table_is_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = strange_run(folder.path()).display().to_string();
    let table = text(&creditscope(&["audit", &run, "--csv", "-"]).stdout);
    let mut negative = 0;
    for line in table.lines().skip(1) {
        assert!(line.starts_with("'=cmd"), "{line}");
        for cell in line.split(',').map(|cell| cell.trim_matches('"')) {
            let formula = cell.starts_with(['=', '@', '+', '-']);
            assert!(!formula || cell.parse::<f64>().is_ok(), "{cell}");
            negative += usize::from(cell.starts_with('-'));
        }
    }
    assert!(negative > 0, "numbers below zero stay numbers: {table}");
}

#[test]
fn recipes_files_and_folders_cannot_write_on_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("recipe{FORGED}.toml"));
    let escaped = "\\u001b[2J\\u202e\\n✓ bp   PASS";
    for content in [
        format!("rule.name = \"{escaped}\""),
        format!("net.d = \"{escaped}\""),
        format!("\"{escaped}\" = 1"),
        format!("data.name = {FORGED}"),
        "net.d = 8 # \u{1b}[2J".to_owned(),
        format!("name = \"{escaped}\"\ndata.name = \"cifar10\""),
    ] {
        std::fs::write(&path, &content).expect("written");
        let output = program().args(["run".as_ref(), path.as_os_str()]).output().expect("it starts");
        let words = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{content:?}: {words}");
        harmless(&content, &words);
        assert!(words.contains("␛[2J"), "{content:?}: {words}");
    }
    // What serde says of a record holds its words as well.
    let run = folder.path().join(format!("run{FORGED}"));
    std::fs::create_dir(&run).expect("a folder");
    let broken = [
        format!("{{\"schema\": \"{escaped}\"}}"),
        format!("{{\"schema\": \"creditscope.run/1\", \"{escaped}\": 1}}"),
        format!("{{\"schema\": \"creditscope.run/1\", \"status\": {{\"state\": \"{escaped}\"}}}}"),
    ];
    for content in broken {
        std::fs::write(run.join("run.json"), &content).expect("written");
        for words in [["runs", "list"], ["runs", "show"]] {
            let path = if words[1] == "list" { folder.path() } else { &run };
            let output = program().args(words).arg(path).output().expect("it starts");
            harmless(&content, &(text(&output.stdout) + &text(&output.stderr)));
        }
    }
}
