//! What follows from the table of rules: the words and keys of recipes.

use lab::{Recipe, RunSpec};
use rules::{NAMES, RuleSpec, TABLE};

fn run(text: &str) -> Result<RunSpec, lab::Error> {
    Ok(Recipe::parse(text, "r.toml")?.runs()?.remove(0))
}

/// Keys of the section `rule` that a resolved recipe has.
fn resolved(run: &RunSpec) -> Vec<String> {
    let recipe: toml::Table = run.recipe.parse().expect("TOML");
    recipe["rule"].as_table().expect("a section").keys().map(|key| format!("rule.{key}")).collect()
}

/// A recipe that names a rule and says no more has the rule with its own defaults, and its keys written out beside those that every
/// rule has.
#[test]
fn a_silent_recipe_has_every_rule_with_the_defaults_that_it_declares() {
    let mut common = resolved(&run("rule.name = 'bp'").expect("valid"));
    common.retain(|key| TABLE[0].keys.iter().all(|own| own.name != key));
    for info in &TABLE {
        let run = run(&format!("rule.name = '{}'", info.name)).expect("valid");
        assert_eq!(run.rule, RuleSpec::from(info.name));
        let mut keys = resolved(&run);
        keys.retain(|key| !common.contains(key));
        let mut declared: Vec<&str> = info.keys.iter().map(|key| key.name).collect();
        declared.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, declared, "{}", info.name);
    }
}

/// A value in TOML that is not the default, yet one that the key admits.
fn another(key: &rules::RuleKey) -> (String, rules::Value) {
    use rules::{KeyKind, Value};
    match (key.kind, key.default) {
        (KeyKind::Flag, Value::Flag(flag)) => ((!flag).to_string(), Value::Flag(!flag)),
        (KeyKind::Whole(..), Value::Whole(whole)) => ((whole + 1).to_string(), Value::Whole(whole + 1)),
        (KeyKind::Real(..), Value::Real(real)) => (format!("{:?}", real / 2.0), Value::Real(real / 2.0)),
        (KeyKind::Word(words), Value::Word(word)) => {
            let other = words.iter().find(|other| **other != word).expect("more than one word");
            (format!("'{other}'"), Value::Word(other))
        }
        _ => panic!("{} has a default of another kind", key.name),
    }
}

/// What a recipe says of a key reaches the rule, and a rule without the key refuses it.
#[test]
fn every_key_reaches_the_rules_that_declare_it_and_no_other() {
    for key in TABLE.iter().flat_map(|info| info.keys) {
        let (text, value) = another(key);
        for info in &TABLE {
            let run = run(&format!("rule.name = '{}'\n{} = {text}", info.name, key.name));
            if info.keys.iter().any(|own| own.name == key.name) {
                let want = RuleSpec::with(info.name, &[(key.name, value)]).expect("its key");
                assert_eq!(run.expect("valid").rule, want, "{}, {}", info.name, key.name);
            } else {
                let message = run.expect_err("it has no such key").to_string();
                assert!(message.contains("does not apply"), "{message}");
            }
        }
    }
}

/// Names and order of the table are those that figures and records read, and those that a recipe may name.
#[test]
fn the_table_is_the_list_of_the_record() {
    let listed: Vec<&str> = record::rules::RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(NAMES.to_vec(), listed);
    assert_eq!(TABLE.each_ref().map(|info| info.name), NAMES);
    let message = run("rule.name = 'my_rule'").expect_err("no rule of this program").to_string();
    assert!(message.contains(&NAMES.join(", ")), "{message}");
}

/// Every rule whose credit can be recomputed is among the healthy runs of the self-test.
#[test]
fn the_self_test_trains_every_rule_that_can_be_recomputed() {
    let cases = lab::selftest::cases(1).expect("valid");
    for name in NAMES {
        let tried = cases.iter().any(|case| case.rule == name && case.planted.is_none());
        assert_eq!(tried, RuleSpec::from(name).formula().is_some(), "{name}");
    }
    assert_eq!(
        NAMES.into_iter().filter(|name| RuleSpec::from(*name).formula().is_none()).collect::<Vec<_>>(),
        ["ep", "node_perturbation"]
    );
}
