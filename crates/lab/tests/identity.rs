//! What makes two runs the same training: every key that steers it and none that does not, whatever keys come later.

use lab::{Identity, Incomparable, Key, Kind, Preset, Recipe, Schema, training_keys};
use protocol::baseline::{Trained, TrainingKeys};
use record::Run;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use toml::Value;

type Keys = BTreeMap<String, Value>;

fn keys(text: &str) -> Keys {
    record::flatten(text.parse().expect("TOML"))
}

fn identity(keys: &Keys) -> Identity {
    Identity::of_record(keys).expect("known keys")
}

/// The recipe that is silent but for the word beside which a key applies, once for each word.
fn recipes_with(key: &Key) -> Vec<(Keys, Value)> {
    let value = |text: &str| keys(&format!("v = {text}")).remove("v").expect("a value");
    match key.default {
        Preset::Always(text) => vec![(Keys::new(), value(text))],
        Preset::By(selector, values) => {
            // `.npz` stands for every name with that ending.
            let name =
                |word: &str| if word.starts_with('.') { format!("mine{word}") } else { word.to_owned() };
            let with =
                |(word, text): &(&str, &str)| (keys(&format!("{selector} = '{}'", name(word))), value(text));
            values.iter().map(with).collect()
        }
    }
}

/// Another value that the key may have.
fn other(kind: Kind, value: &Value) -> Value {
    let all: Vec<Value> = match kind {
        Kind::Flag => vec![Value::Boolean(true), Value::Boolean(false)],
        Kind::Whole(low, _) => vec![Value::Integer(low), Value::Integer(low + 1)],
        Kind::Real(low, high) => {
            [low, 0.25, 0.5].iter().filter(|x| **x <= high).map(|x| Value::Float(*x)).collect()
        }
        Kind::Word(words) | Kind::WordOrFile(words) => words.iter().map(|word| Value::from(*word)).collect(),
        Kind::Words(words) => vec![Value::Array(vec![Value::from(words[0])])],
        Kind::Name => vec![Value::from("another")],
    };
    all.into_iter().find(|other| other != value).expect("a key has two values")
}

#[test]
fn every_key_that_steers_training_changes_the_identity_and_no_other_does() {
    let outside = ["name", "train.stop_after", "eval.", "audit.", "protocol."];
    for key in Schema::today().keys() {
        let is_outside =
            outside.iter().any(|part| key.name == *part || part.ends_with('.') && key.name.starts_with(part));
        assert_eq!(key.steers_training, !is_outside, "{}", key.name);
        for (recipe, default) in recipes_with(key) {
            let silent = identity(&recipe);
            let said = |value: Value| {
                identity(&recipe.clone().into_iter().chain([(key.name.to_owned(), value)]).collect())
            };
            let changed = said(other(key.kind, &default));
            let differing: Vec<&str> =
                silent.differences(&changed).into_iter().map(|(key, ..)| key).collect();
            if is_outside {
                assert_eq!(changed, silent, "{}", key.name);
                assert_eq!(changed.hash(), silent.hash(), "{}", key.name);
            } else {
                assert_ne!(changed.hash(), silent.hash(), "{}", key.name);
                assert!(differing.contains(&key.name), "{}: {differing:?}", key.name);
            }
            // To write a default out changes nothing.
            assert_eq!(said(default).hash(), silent.hash(), "{}", key.name);
        }
    }
}

/// The form that is hashed, written out: it never changes, or every record loses its run.
#[test]
fn the_hash_is_that_of_the_canonical_lines() {
    let by_hand = |lines: &str| {
        let digest = Sha256::digest(format!("creditscope.identity/1\n{lines}"));
        format!("1:{}", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    };
    for (recipe, lines) in [
        ("", ""),
        ("seed = 42\noptim.lr = 1e-3\nrule.penalty = -0.0", ""),
        ("seed = 7\nrule.name = 'dfa'\noptim.lr = 3e-4", "optim.lr = 3e-4\nrule.name = \"dfa\"\nseed = 7\n"),
        ("rule.penalty = 1\nrule.frozen = true\nname = 'x'", "rule.frozen = true\nrule.penalty = 1e0\n"),
        ("net.name = 'vit'\nnet.d = 256", "net.d = 256\nnet.name = \"vit\"\n"),
        ("net.name = 'resmlp'\nnet.d = 256\naudit.every = 1", ""),
    ] {
        assert_eq!(identity(&keys(recipe)).hash(), by_hand(lines), "{recipe}");
    }
}

fn kept() -> Vec<Run> {
    let results = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
    let paths = record::find_runs(&results).expect("records");
    paths.iter().map(|path| Run::read(path).expect("a record")).collect()
}

/// Keys that may come one day, one of each kind, with defaults that are not what the program did before.
fn tomorrow() -> &'static Schema {
    let key = |name, default, neutral| Key {
        name,
        kind: Kind::Real(0.0, 10.0),
        default,
        neutral,
        steers_training: true,
        help: "",
    };
    let mut keys = Schema::today().keys().to_vec();
    keys.extend([
        key("optim.warmth", Preset::Always("1.0"), Preset::Always("0.0")),
        key(
            "net.scale",
            Preset::By("net.name", &[("resmlp", "2.0"), ("student", "3.0"), ("vit", "1.0"), ("lq", "1.0")]),
            Preset::By("net.name", &[("resmlp", "1.0"), ("student", "1.0"), ("vit", "1.0"), ("lq", "1.0")]),
        ),
        // It applies to a rule that came with it, of which no record is kept.
        key("rule.fresh", Preset::By("rule.name", &[("sign_symmetry", "1.0")]), Preset::By("rule.name", &[])),
        Key { steers_training: false, ..key("eval.more", Preset::Always("1.0"), Preset::Always("0.0")) },
    ]);
    Box::leak(Box::new(Schema::new(keys)))
}

fn under(schema: &Schema, keys: &Keys) -> Identity {
    Identity::under(schema, keys.iter().map(|(key, value)| (key.as_str(), value))).expect("known keys")
}

#[test]
fn keys_of_tomorrow_keep_the_records_of_today_and_tell_new_runs_apart() {
    let schema = tomorrow();
    let records: BTreeSet<String> = kept()
        .iter()
        .map(|run| {
            let today = identity(&run.recipe);
            assert_eq!(under(schema, &run.recipe).hash(), today.hash(), "{}", run.path.display());
            today.hash().to_owned()
        })
        .collect();
    assert_eq!(records.len(), kept().len(), "no two records are of the same training");
    // Read back, as an audit does, a record is what it was.
    for run in kept() {
        let read =
            Recipe::of_record_under(schema, &run.recipe, "recipe.toml").and_then(|recipe| recipe.runs());
        let read = read.expect("a recipe of this program");
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].identity.hash(), identity(&run.recipe).hash(), "{}", run.path.display());
        let today =
            Recipe::of_record(&run.recipe, "recipe.toml").and_then(|recipe| recipe.runs()).expect("valid");
        assert_eq!(today[0].identity.hash(), identity(&run.recipe).hash(), "{}", run.path.display());
    }
    let mut found = BTreeSet::new();
    for study in
        std::fs::read_dir("../../docs/results").expect("kept records").map(|entry| entry.expect("an entry"))
    {
        let name = study.file_name().into_string().expect("a plain name");
        let Ok(text) = std::fs::read_to_string(format!("../../recipes/{name}.toml")) else { continue };
        let mut recipe = Recipe::parse_under(schema, &text, &name).expect("valid");
        for run in recipe.runs().expect("valid") {
            assert!(!records.contains(run.identity.hash()), "{} is trained with the new default", run.id);
        }
        recipe.set("optim.warmth=0").expect("a key");
        recipe.set("net.scale=1").expect("a key");
        recipe.set("eval.more=7").expect("a key");
        let ids = recipe.runs().expect("valid").into_iter().map(|run| run.identity.hash().to_owned());
        found.extend(ids.filter(|id| records.contains(id)));
    }
    assert_eq!(found, records, "with what the program did before, every record is found");
    // A key without a neutral value is always part of the identity.
    let fresh =
        |value: f64| under(schema, &keys(&format!("rule.name = 'sign_symmetry'\nrule.fresh = {value:?}")));
    assert_ne!(fresh(1.0).hash(), fresh(2.0).hash());
    assert_ne!(fresh(1.0).hash(), under(schema, &keys("rule.name = 'sign_symmetry'")).hash());
}

#[test]
fn a_record_older_than_a_key_has_its_neutral_value_and_one_with_more_keys_is_another_run() {
    let run = kept().remove(0);
    let own = identity(&run.recipe);
    let mut older = run.recipe.clone();
    for key in ["rule.penalty", "rule.trainable_last", "optim.eps", "audit.draws", "protocol.direction"] {
        assert!(older.remove(key).is_some(), "{key}");
    }
    assert_eq!(identity(&older).hash(), own.hash());
    assert_eq!(identity(&older).values()["rule.penalty"], Value::Float(0.0));
    let with = |key: &str| {
        let more = [(key.to_owned(), Value::Integer(1))];
        Identity::of_record(&run.recipe.clone().into_iter().chain(more).collect())
    };
    assert_eq!(with("rule.future"), Err(Incomparable::UnknownKey("rule.future".to_owned())));
    assert_eq!(with("train.chunks"), Err(Incomparable::UnknownKey("train.chunks".to_owned())));
    assert_eq!(with("future"), Err(Incomparable::UnknownKey("future".to_owned())));
    for key in ["audit.future", "eval.future", "protocol.future"] {
        assert_eq!(with(key).expect("passed over").hash(), own.hash(), "{key}");
        let later = run.recipe.clone().into_iter().chain([(key.to_owned(), Value::Integer(1))]).collect();
        let read = Recipe::of_record(&later, "recipe.toml").and_then(|recipe| recipe.runs()).expect("valid");
        assert_eq!(read[0].identity.hash(), own.hash());
        // But a recipe that asks for it is wrong.
        let slip = Recipe::parse(&format!("{key} = 1"), "r.toml").expect_err("a slip").to_string();
        assert!(slip.contains("unknown key"), "{slip}");
    }
}

/// A baseline from before a key was written down still belongs to a run that states the key's neutral value, and to no other.
#[test]
fn a_frozen_baseline_lacks_a_key_at_its_neutral_value() {
    let of =
        |more: &str| TrainingKeys::of(&keys(&format!("seed = 3\nrule.name = 'dfa'\n{more}")), &training_keys);
    let belongs = |baseline: &TrainingKeys, run: &TrainingKeys| {
        let trained = |keys| Trained { keys, data: "data", complete: true };
        trained(baseline).is_baseline_of(&trained(run))
    };
    let run = of("optim.beta1 = 0.9\nrule.random_targets = false");
    assert!(belongs(&of("rule.frozen = true"), &run));
    assert!(belongs(&of("rule.trainable_last = 0\naudit.every = 1"), &run));
    assert!(!belongs(&of("rule.frozen = true\noptim.beta1 = 0.8"), &run));
    assert!(!belongs(&of("rule.frozen = true"), &of("optim.beta1 = 0.8")));
}
