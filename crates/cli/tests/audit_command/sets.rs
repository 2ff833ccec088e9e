//! Which runs share a table, and which a group.

use crate::common::text;
use crate::made::{RECIPE, audit, copy, refused, set, train};
use record::audit::AuditSet;

#[test]
fn runs_of_different_conditions_have_a_table_each_unless_mixed_is_given() {
    let runs = copy(&["bp-s1", "dfa-s2"]);
    let other = RECIPE
        .replace("net.d = 24", "net.d = 20")
        .replace("['bp', 'fa', 'dfa']", "'bp'")
        .replace("[1, 2]", "7");
    train(&other, &runs.path().join("other"));
    let page = text(&audit(&[runs.path()], &["--log"]).stdout);
    let titles: Vec<&str> = page.lines().filter(|line| line.starts_with("Runs with ")).collect();
    assert_eq!(titles, ["Runs with net.d = 24:", "Runs with net.d = 20:"], "{page}");
    let sets: Vec<AuditSet> =
        serde_json::from_slice(&audit(&[runs.path()], &["--log", "--json"]).stdout).expect("a list");
    let sizes: Vec<usize> = sets.iter().map(|set| set.audits.len()).collect();
    assert_eq!(sizes, [2, 2]);
    let csv = text(&audit(&[runs.path()], &["--log", "--csv", "-"]).stdout);
    assert!(csv.contains(",net.d = 20\r\n") && csv.contains(",net.d = 24\r\n"), "{csv}");
    let markdown = text(&audit(&[runs.path()], &["--log", "--markdown", "-"]).stdout);
    assert!(markdown.starts_with("## net.d = 24\n\n| rule |") && markdown.contains("\n## net.d = 20\n"));
    assert_eq!(set(&audit(&[runs.path()], &["--log", "--mixed", "--json"])).audits.len(), 4);
}

#[test]
fn a_seed_counts_once_and_recipes_are_not_averaged() {
    let a = copy(&["bp-s1"]);
    let b = copy(&["bp-s1"]);
    // The same training twice: two sweeps, distinguished by their folders, and nothing to put into one table.
    let page = text(&audit(&[a.path(), b.path()], &["--log"]).stdout);
    assert_eq!(page.matches("Runs with folder = ").count(), 2, "{page}");
    let message = refused(&audit(&[a.path(), b.path()], &["--log", "--mixed"]));
    assert!(message.contains("the same seed"), "{message}");
    let recipe = b.path().join("bp-s1/recipe.toml");
    let edited = std::fs::read_to_string(&recipe).expect("a recipe").replace("batch = 64", "batch = 32");
    std::fs::write(&recipe, edited).expect("written");
    let found = set(&audit(&[a.path(), b.path()], &["--log", "--mixed", "--json"]));
    let names: Vec<&str> = found.groups.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names, ["bp", "bp (2)"]);
}
