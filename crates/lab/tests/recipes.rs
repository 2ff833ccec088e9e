//! Recipes are checked before anything runs, and every refusal names the key, the value and the remedy.

use lab::{Preset, Recipe, Schema, Template, template};

fn message(text: &str) -> String {
    match Recipe::parse(text, "r.toml").and_then(|recipe| recipe.runs()) {
        Ok(runs) => panic!("{text} was taken as {} runs", runs.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn slips_are_named_with_place_and_remedy() {
    for (text, expected) in [
        ("\n\noptim.lrr = 1", "r.toml:3: unknown key `optim.lrr`: did you mean `optim.lr`?"),
        ("lr = 1", "r.toml:1: unknown key `lr`: did you mean `optim.lr`?"),
        ("[optm]\nlr = 1", "r.toml:1: unknown section `optm`: did you mean `optim`?"),
        ("[rule.more]\nx = 1", "unknown key `rule.more`"),
        (
            "train.epochs = 'ten'",
            "r.toml:1: `train.epochs` is `ten` (string): it must be a whole number from 1",
        ),
        ("train.epochs = 0", "`train.epochs` is 0 (integer)"),
        ("train.epochs = 2.5", "`train.epochs` is 2.5 (float)"),
        ("net.skip = 1", "`net.skip` is 1 (integer): it must be true or false"),
        ("rule.name = 'backprop'", "one of bp, fa, dfa"),
        ("rule.name = 'DFAA'", "; did you mean `dfa`?"),
        ("optim.lr = -1", "`optim.lr` is -1 (integer): it must be a number from 0"),
        ("optim.lr = nan", "`optim.lr` is nan (float)"),
        ("optim.lr = []", "`optim.lr` is an empty list"),
        ("name = '../escape'", "a short name"),
        ("seed = -1", "a whole number from 0 up"),
        ("net.alpha = 0.5", "`net.alpha` does not apply if `net.name` is \"resmlp\": leave it out"),
        ("net.name = 'student'\nnet.out_ln = true", "r.toml:2: `net.out_ln` does not apply"),
        ("teacher.inputs = 3", "`teacher.inputs` does not apply if `data.name` is \"digits\""),
        ("data.augment = true", "`data.augment` does not apply"),
        ("train.batch = 2000", "`train.batch` is 2000, but digits has 1437 training samples"),
        ("eval.samples = 1024", "`eval.samples` is 1024, but digits has 360 test samples"),
        ("eval.samples = 9\nnet.d = 4000000000", "more than"),
        ("eval.samples = 9\nrule.trainable_last = 5", "trainable_last is 5, but the network has 4 blocks"),
        ("eval.samples = 9\nrule.frozen = true\nrule.trainable_last = 2", "leave one out"),
        ("eval.samples = 9\nrule.frozen = true\nrule.shallow = true", "a shallow network has no blocks"),
        ("eval.samples = 9\ntrain.epochs = 3\ntrain.stop_after = 4", "the schedule has 3 epochs"),
        ("eval.samples = 9\nseed = [1, 1]", "two runs would both be called `bp-s1`"),
        ("a = = 1", "not TOML"),
        ("net = 3", "unknown key `net`"),
    ] {
        let found = message(text);
        assert!(found.contains(expected), "{text}\n  gave: {found}\n  not:  {expected}");
    }
}

#[test]
fn assignments_override_and_lists_multiply() {
    let mut recipe = Recipe::parse("eval.samples = 9\nseed = 1", "r.toml").expect("valid");
    recipe.set("optim.lr=[1e-3, 3e-4]").expect("a list");
    recipe.set("rule.name=dfa").expect("a bare word");
    recipe.set_list("seed", &["7".into(), "8".into()], "--seeds").expect("seeds");
    let ids: Vec<String> = recipe.runs().expect("valid").into_iter().map(|run| run.id).collect();
    assert_eq!(ids, ["dfa-lr0.001-s7", "dfa-lr0.001-s8", "dfa-lr0.0003-s7", "dfa-lr0.0003-s8"]);
    for (text, words) in [
        ("optim.lr", "key=value"),
        ("optim.l=1", "did you mean"),
        ("seed=x", "setting seed=x: `seed` is"),
        ("seed=1\nname='x'", "`seed` is"),
    ] {
        let message = recipe.clone().set(text).expect_err("a slip").to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_resolved_recipe_resolves_to_itself() {
    let text = "rule.name = ['bp', 'fa']\nnet.name = ['resmlp', 'student']\ndata.name = ['teacher', 'cifar10']\n\
                optim.lr = [1e-3, 3e-4]\nrule.penalty = [0, 1e-4]";
    let runs = Recipe::parse(text, "r.toml").and_then(|r| r.runs()).expect("valid");
    assert_eq!(runs.len(), 32);
    let mut hashes: Vec<&str> = runs.iter().map(|run| run.recipe_hash.as_str()).collect();
    for run in &runs {
        let again = Recipe::parse(&run.recipe, "resolved").and_then(|r| r.runs()).expect("valid");
        assert_eq!(
            (again.len(), &again[0].recipe, &again[0].recipe_hash),
            (1, &run.recipe, &run.recipe_hash)
        );
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 32, "every run has a hash of its own");
}

fn hashes(text: &str) -> Option<Vec<String>> {
    let runs = Recipe::parse(text, "template").and_then(|r| r.runs()).ok()?;
    Some(runs.into_iter().map(|run| run.recipe_hash).collect())
}

/// Uncommenting a line changes nothing, since it shows what holds anyway; or it says where it applies, or that rules differ.
fn comments_show_what_holds(text: &str) {
    for line in text.lines().filter(|line| line.starts_with("# ") && line.contains(" = ")) {
        let changed = text.replace(line, line.trim_start_matches("# "));
        match hashes(&changed) {
            Some(_) if line.contains("By default") => {}
            Some(same) => assert_eq!(Some(same), hashes(text), "{line}"),
            None => assert!(line.contains("Only if"), "{line}"),
        }
    }
}

fn listed(text: &str, key: &str) -> bool {
    let table: toml::Table = text
        .replace("\n# ", "\n")
        .replacen("# A Creditscope", "", 1)
        .lines()
        .skip(3)
        .fold(String::new(), |all, line| all + line + "\n")
        .parse()
        .expect("every line is TOML once its mark is gone");
    record::flatten(table).contains_key(key)
}

#[test]
fn the_whole_template_is_a_recipe_and_names_every_key() {
    let text = template("mine", &Template { all: true, ..Template::default() });
    let recipe = Recipe::parse(&text, "template").expect("it parses");
    assert_eq!(recipe.name().expect("a name"), "mine");
    assert_eq!(recipe.runs().expect("it can run").len(), 18);
    for key in Schema::today().keys() {
        assert!(listed(&text, key.name), "{} is missing", key.name);
    }
    comments_show_what_holds(&text);
}

/// Every key that applies to the choice and no other, whatever is chosen; and it means the same as the whole template.
#[test]
fn a_template_has_the_keys_of_its_choice_and_no_other() {
    for (data, net, rules) in [
        ("cifar10", "resmlp", vec!["bp", "fa", "dfa"]),
        ("digits", "vit", vec!["kolen_pollack", "ep"]),
        ("teacher", "student", vec!["state_bridge", "credit_bridge"]),
        ("lq", "lq", vec!["bp", "dfa"]),
        ("cifar100", "resnet", vec!["drtp"]),
    ] {
        let rules: Vec<String> = rules.into_iter().map(str::to_owned).collect();
        let about = Template { data: data.into(), net: Some(net.into()), rules: rules.clone(), all: false };
        let text = template("mine", &about);
        for key in Schema::today().keys() {
            let applies = match key.default {
                Preset::Always(_) => true,
                Preset::By("data.name", words) => words.iter().any(|(word, _)| *word == data),
                Preset::By("net.name", words) => words.iter().any(|(word, _)| *word == net),
                Preset::By(_, words) => words.iter().any(|(word, _)| rules.iter().any(|rule| rule == word)),
            };
            assert_eq!(listed(&text, key.name), applies, "{} for {data}, {net}, {rules:?}", key.name);
        }
        let whole = template("mine", &Template { all: true, ..about });
        assert!(hashes(&text).is_some(), "{text}");
        assert_eq!(hashes(&text), hashes(&whole), "{data}, {net}");
        comments_show_what_holds(&text);
    }
}

#[test]
fn the_learning_rate_follows_the_schedule() {
    let runs =
        Recipe::parse("eval.samples = 9\ntrain.epochs = 4", "r.toml").and_then(|r| r.runs()).expect("valid");
    // ½·lr·(1+cos(πe/E)) at e = 0, 1, 2, 3 of E = 4.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (epoch, factor) in [(0, 1.0), (1, 0.5 * (1.0 + half)), (2, 0.5), (3, 0.5 * (1.0 - half))] {
        assert!((runs[0].optimiser_at(epoch).lr - 1e-3 * factor).abs() < 1e-15, "epoch {epoch}");
    }
}

/// The keys that apply to a data set, and what the data set itself says it can do.
#[test]
fn augmentation_is_a_key_exactly_where_it_makes_sense() {
    for name in data::DataSpec::NAMES {
        let text = format!("data.name = '{name}'\ndata.augment = false");
        let taken = Recipe::parse(&text, "r.toml").and_then(|r| r.runs()).is_ok();
        assert_eq!(taken, data::DataSpec::named(name).expect("a name").can_augment(), "{name}");
    }
}

#[test]
fn a_silent_recipe_has_the_default_teacher() {
    let runs = Recipe::parse("data.name = 'teacher'", "r.toml").and_then(|r| r.runs()).expect("valid");
    assert_eq!(runs[0].source, data::DataSpec::Teacher(data::TeacherSpec::default()));
}

/// The network whose work is bounded is the one that a recipe gets unasked.
#[test]
fn a_silent_recipe_has_the_default_resnet() {
    let text = "data.name = 'cifar10'\nnet.name = 'resnet'";
    let runs = Recipe::parse(text, "r.toml").and_then(|r| r.runs()).expect("valid");
    let nn::Net::Resnet(net) = &runs[0].net else { panic!("not a resnet") };
    assert_eq!(*net.spec(), nn::ResnetSpec::default());
}

/// The thresholds are written once; the schema's defaults are held to them, key by key.
#[test]
fn a_silent_recipe_has_the_thresholds_of_the_protocol() {
    let thresholds = |line: &str| {
        let text = format!("eval.samples = 9\n{line}");
        Recipe::parse(&text, "r.toml").and_then(|r| r.runs()).expect("valid").remove(0).thresholds
    };
    let fields = |thresholds: protocol::Thresholds| {
        serde_json::to_value(thresholds).expect("plain data").as_object().expect("an object").clone()
    };
    let usual = fields(protocol::THRESHOLDS);
    assert_eq!(fields(thresholds("")), usual);
    let keys: Vec<&str> =
        Schema::today().keys().iter().filter_map(|key| key.name.strip_prefix("protocol.")).collect();
    assert!(keys.len() == usual.len() && keys.iter().all(|key| usual.contains_key(*key)), "{keys:?}");
    for key in keys {
        let mut changed = usual.clone();
        changed[key] = 0.5.into();
        assert_eq!(fields(thresholds(&format!("protocol.{key} = 0.5"))), changed, "{key}");
    }
}
