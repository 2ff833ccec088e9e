//! The table of rules is what the guide and the completions list, and it is open for reading: a record of a rule that this program does
//! not know is listed, judged by its log and drawn.

mod common;

use common::{creditscope, recipe, text};
use record::audit::{AuditSet, Consistency, Outcome, Subject};
use record::rules::RULES;
use std::path::Path;

fn printed(args: &[&str]) -> String {
    let output = creditscope(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The guide's table has a row per rule, in the order of the table.
#[test]
fn the_guide_lists_every_rule_in_order() {
    let guide = include_str!("../../../docs/runs.md");
    let rows = guide.lines().skip_while(|line| !line.starts_with("| rule |")).skip(2);
    let named = rows.map_while(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(named.collect::<Vec<_>>(), RULES.iter().map(|rule| rule.name).collect::<Vec<_>>());
}

#[test]
fn completions_offer_every_rule() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        let missing: Vec<_> = RULES.iter().filter(|rule| !script.contains(rule.name)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
}

/// Gives a run the name of a rule that nobody has heard of.
fn rename(run: &Path, from: &str, to: &str) {
    for (file, pattern) in
        [("run.json", format!("\"rule\": \"{from}\"")), ("recipe.toml", format!("\"{from}\""))]
    {
        let path = run.join(file);
        let text = std::fs::read_to_string(&path).expect("a file of the run");
        assert!(text.contains(&pattern), "{pattern} in {text}");
        std::fs::write(path, text.replace(&pattern, &pattern.replace(from, to))).expect("written");
    }
}

#[test]
fn a_record_of_an_unknown_rule_is_listed_judged_and_drawn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let content = "name = 'tiny'\ndata.name = 'digits'\nnet.d = 16\nnet.blocks = 2\nrule.name = ['bp', 'drtp', 'dfa']\n\
                   rule.frozen = [false, true]\ntrain.epochs = 2\neval.samples = 64\naudit.every = 0";
    let recipe = recipe(folder.path(), content).display().to_string();
    let out = folder.path().join("runs");
    let runs = out.display().to_string();
    printed(&["run", &recipe, "--out", &runs]);
    rename(&out.join("dfa-s42"), "dfa", "my_rule");
    rename(&out.join("dfa-frozen-s42"), "dfa", "my_rule");

    let list = printed(&["runs", "list", &runs]);
    assert!(list.lines().any(|line| line.contains("my_rule") && line.contains("finished")), "{list}");
    assert!(printed(&["runs", "show", &out.join("dfa-s42").display().to_string()]).contains("my_rule"));

    let set: AuditSet = serde_json::from_str(&printed(&["audit", &runs, "--log", "--json"])).expect("JSON");
    let rule = |subject: &Subject| match subject {
        Subject::Run { rule, .. } => rule.clone(),
        Subject::Dump { .. } => panic!("a run"),
    };
    let rules: Vec<String> = set.audits.iter().map(|audit| rule(&audit.subject)).collect();
    assert_eq!(rules, ["bp", "bp", "drtp", "drtp", "my_rule", "my_rule"], "after the rules that are listed");
    let audit = set.audits.iter().find(|audit| audit.subject.id() == "dfa-s42").expect("judged");
    assert_eq!(audit.checks[0].outcome, Outcome::Passes);
    assert!(audit.frozen.is_some(), "its baseline is found");
    // Its checkpoint cannot be measured, which is said, and does not keep the others from it.
    let set: AuditSet = serde_json::from_str(&printed(&["audit", &runs, "--json"])).expect("JSON");
    let of = |id: &str| set.audits.iter().find(|audit| audit.subject.id() == id).expect("judged");
    let told: Vec<String> = of("dfa-s42").warnings.iter().map(report::audit::message).collect();
    assert!(told.iter().any(|told| told.contains("no rule `my_rule`")), "{told:?}");
    assert!(matches!(of("bp-s42").consistency, Consistency::Agrees { .. }));

    let figures = folder.path().join("figures").display().to_string();
    printed(&["figure", "cifar-accuracy", "--from", &runs, "--out", &figures, "--format", "svg"]);
    let drawn = std::fs::read_to_string(folder.path().join("figures/cifar-accuracy.svg")).expect("drawn");
    assert!(drawn.contains("my_rule"), "it keeps its name");

    let training = creditscope(&["run", &recipe, "--out", &runs, "--rules", "my_rule"]);
    assert_eq!(training.status.code(), Some(2));
    assert!(text(&training.stderr).contains("my_rule"), "{}", text(&training.stderr));
}
