//! Files that an audit writes and keeps, exit codes, and refusals.

use crate::common::text;
use crate::made::{audit, copy, refused, set, trained};
use record::audit::{Audit, Warning};

#[test]
fn files_and_exit_codes_hold_what_was_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let csv = folder.path().join("a.csv");
    let junit = folder.path().join("a.xml");
    let csv_name = csv.display().to_string();
    let junit_name = junit.display().to_string();
    let runs = trained().join("runs");
    let output =
        audit(&[&runs], &["--quiet", "--csv", &csv_name, "--junit", &junit_name, "--fail-on", "consistency"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let rows = std::fs::read_to_string(&csv).expect("a CSV");
    // Commas between quotes are part of a field.
    let fields = |row: &str| row.split('"').step_by(2).collect::<String>().matches(',').count() + 1;
    assert!(rows.lines().all(|row| fields(row) == 13), "{rows}");
    assert!(rows.contains(",rho,") && rows.contains(",cosine,"));
    let xml = std::fs::read_to_string(&junit).expect("an XML");
    assert!(xml.starts_with("<?xml") && xml.contains("<testsuite ") && xml.contains("D2"), "{xml}");
    // A limit that nothing can keep: D1 fires, and the exit code says so.
    let strict = copy(&["bp-s1"]);
    let recipe = strict.path().join("bp-s1/recipe.toml");
    let edited =
        std::fs::read_to_string(&recipe).expect("a recipe").replace("growth = 50.0", "growth = 0.001");
    std::fs::write(&recipe, edited).expect("written");
    let fired = audit(&[&strict.path().join("bp-s1")], &["--fail-on", "d1,D2", "--log"]);
    assert_eq!(fired.status.code(), Some(1), "{}", text(&fired.stderr));
    assert!(text(&fired.stderr).contains("D1") && text(&fired.stdout).contains("FAIL(D1"));
    assert!(text(&fired.stdout).contains("recipe.toml is not the one"), "a changed limit is reported");
}

#[test]
fn what_cannot_be_judged_is_refused_with_a_remedy() {
    let nothing = tempfile::tempdir().expect("a temporary folder");
    assert!(refused(&audit(&[nothing.path()], &[])).contains("no run"));
    assert!(refused(&audit(&[&nothing.path().join("absent")], &[])).contains("does not exist"));
    let runs = copy(&["bp-s1", "dfa-s2"]);
    assert!(
        refused(&audit(&[&runs.path().join("bp-s1")], &["--accuracy", ".3"]))
            .contains("--accuracy is for dumps")
    );
    assert!(refused(&audit(&[runs.path()], &["--fail-on", "D4"])).contains("D4"));
    let missing = runs.path().join("no/such/a.csv").display().to_string();
    assert!(refused(&audit(&[runs.path()], &["--csv", &missing])).contains("a.csv"));
    // A record that cannot be read names its file, and does not silence the others.
    std::fs::write(runs.path().join("bp-s1/run.json"), "{").expect("written");
    assert!(refused(&audit(&[&runs.path().join("bp-s1")], &[])).contains("run.json"));
    let rest = audit(&[runs.path()], &["--mixed"]);
    assert!(
        refused(&rest).contains("run.json") && text(&rest.stdout).contains("dfa"),
        "{}",
        text(&rest.stdout)
    );
}

#[test]
fn what_was_measured_is_kept_and_an_edited_recipe_is_reported() {
    let runs = copy(&["bp-s1"]);
    let run = runs.path().join("bp-s1");
    let measured = set(&audit(&[&run], &["--json"]));
    assert!(audit(&[&run], &["--log", "--quiet"]).status.success());
    assert_eq!(
        Audit::read(&run).expect("readable").as_ref(),
        Some(&measured.audits[0]),
        "not overwritten by the log"
    );
    let recipe = run.join("recipe.toml");
    let edited = std::fs::read_to_string(&recipe).expect("a recipe").replace("gain = 0.02", "gain = 0.01");
    std::fs::write(&recipe, edited).expect("written");
    let found = set(&audit(&[&run], &["--json"]));
    assert!(found.audits[0].warnings.contains(&Warning::RecipeChanged), "{:?}", found.audits[0].warnings);
}
