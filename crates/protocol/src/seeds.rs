//! Seeds of one thing: runs, audits and trials that differ in nothing but their seed belong together.

use record::Run;
use std::collections::BTreeMap;
use toml::Value;

/// The name of a run without its seed, such as `dfa-pen0.01` for `dfa-pen0.01-s42`.
///
/// ```
/// assert_eq!(protocol::base_name("bp-student-s42", 42), "bp-student");
/// assert_eq!(protocol::base_name("bp-student-s42", 4), "bp-student-s42");
/// ```
pub fn base_name(id: &str, seed: u64) -> &str {
    id.strip_suffix(&format!("-s{seed}")).unwrap_or(id)
}

/// Things by what they share, in the order in which it first occurs.
pub fn grouped<T, K: PartialEq>(
    things: impl IntoIterator<Item = T>,
    shared: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    gathered(things.into_iter().map(|thing| (shared(&thing), thing)))
}

/// Values by their key, in the order in which it first occurs.
///
/// ```
/// assert_eq!(protocol::gathered([("b", 1), ("a", 2), ("b", 3)]), [("b", vec![1, 3]), ("a", vec![2])]);
/// ```
pub fn gathered<K: PartialEq, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// Runs that differ in nothing but their seed and what is measured on the way.
#[derive(Clone, Debug)]
pub struct SeedGroup<'a> {
    /// Their name without the seed, with a number behind it where recipes of one name differ.
    pub name: String,
    /// The runs, in the order in which they were given.
    pub runs: Vec<&'a Run>,
}

/// Runs by what they share apart from the seed, in the order in which they first occur.
pub fn seed_groups<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Vec<SeedGroup<'a>> {
    let base = |run: &'a Run| base_name(&run.record.id, run.record.provenance.seed);
    let shared = |run: &&'a Run| (base(run), run.record.provenance.data_hash.as_str(), recipe(run));
    let mut groups: Vec<SeedGroup<'a>> = Vec::new();
    let mut namesakes: BTreeMap<&str, usize> = BTreeMap::new();
    for ((base, ..), runs) in grouped(runs, shared) {
        let count = namesakes.entry(base).or_default();
        *count += 1;
        let name = if *count == 1 { base.to_owned() } else { format!("{base} ({count})") };
        groups.push(SeedGroup { name, runs });
    }
    groups
}

/// The recipe without seed, name and what is measured on the way.
fn recipe(run: &Run) -> BTreeMap<&str, &Value> {
    let counts = |key: &str| key != "seed" && key != "name" && !key.starts_with("audit.");
    run.recipe.iter().map(|(key, value)| (key.as_str(), value)).filter(|(key, _)| counts(key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(id: &str, seed: u64, recipe: &str) -> Run {
        let record = json!({
            "schema": "creditscope.run/1", "id": id, "rule": "dfa", "status": {"state": "finished"}, "drift": null,
            "network": {"name": "resmlp", "inputs": 1, "width": 1, "blocks": 1, "classes": 2, "parameters": 1},
            "provenance": {"version": "0", "recipe_hash": "", "data": "digits", "data_hash": "data", "seed": seed,
                "machine": {"cpu": "", "cores": 1, "system": ""}, "threads": 1, "started": "", "ended": null,
                "resumed": 0},
        });
        let text = format!("seed = {seed}\nname = '{id}'\n{recipe}");
        Run {
            path: id.into(),
            record: serde_json::from_value(record).expect("a record"),
            recipe: record::flatten(text.parse().expect("TOML")),
            epochs: Vec::new(),
        }
    }

    #[test]
    fn runs_that_differ_in_more_than_the_seed_are_not_seeds_of_one_thing() {
        let runs = [
            run("dfa-s1", 1, "optim.lr = 0.1"),
            run("fa-s1", 1, "optim.lr = 0.1"),
            run("dfa-s2", 2, "optim.lr = 0.1\naudit.every = 1.0"),
            run("dfa-s3", 3, "optim.lr = 0.2"),
            run("dfa-s42", 4, "optim.lr = 0.1"),
        ];
        let groups: Vec<(String, Vec<&str>)> = seed_groups(&runs)
            .into_iter()
            .map(|group| (group.name, group.runs.iter().map(|run| run.record.id.as_str()).collect()))
            .collect();
        let expected = [
            ("dfa", vec!["dfa-s1", "dfa-s2"]),
            ("fa", vec!["fa-s1"]),
            ("dfa (2)", vec!["dfa-s3"]),
            // The seed in its name is not its own, so it is part of the name.
            ("dfa-s42", vec!["dfa-s42"]),
        ];
        assert_eq!(groups, expected.map(|(name, runs)| (name.to_owned(), runs)));
    }
}
