//! A recipe and the runs that it expands to.

use super::parse::{self, Setting};
use super::schema::{Key, Preset, Schema};
use super::spec::RunSpec;
use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use toml::Value;

/// Settings by key.
type Settings = BTreeMap<&'static str, Setting>;

/// A recipe whose keys and types are valid, before its lists are expanded.
#[derive(Clone, Debug)]
pub struct Recipe {
    schema: &'static Schema,
    settings: Settings,
    /// Groups of runs, each with its own settings; a recipe without groups is one group.
    parts: Vec<Settings>,
}

/// Maximum number of runs in one recipe; more is probably a mistake.
const MOST_RUNS: usize = 100_000;

/// One value for every key.
pub(super) type Choice = BTreeMap<&'static str, Value>;

impl Recipe {
    /// Reads TOML text; `origin` is the file's name, for messages.
    ///
    /// ```
    /// let text = "train.epochs = 3\nrule.name = ['bp', 'dfa']\nseed = [1, 2, 3]";
    /// let runs = lab::Recipe::parse(text, "example.toml")?.runs()?;
    /// assert_eq!(runs.len(), 6);
    /// assert_eq!(runs[3].id, "dfa-s1");
    /// let slip = lab::Recipe::parse("optim.lrr = 0.1", "example.toml").unwrap_err();
    /// assert_eq!(slip.to_string(), "example.toml:1: unknown key `optim.lrr`: did you mean `optim.lr`?");
    /// # Ok::<(), lab::Error>(())
    /// ```
    pub fn parse(text: &str, origin: &str) -> Result<Self, Error> {
        Self::parse_under(Schema::today(), text, origin)
    }

    /// The same with another schema.
    pub fn parse_under(schema: &'static Schema, text: &str, origin: &str) -> Result<Self, Error> {
        let by_key = |settings: Vec<Setting>| settings.into_iter().map(|s| (s.key.name, s)).collect();
        let parsed = parse::recipe(schema, text, origin)?;
        let parts = parsed.parts.into_iter().map(by_key).collect();
        Ok(Self { schema, settings: by_key(parsed.common), parts })
    }

    /// The recipe of a record. Keys that it lacks have their neutral value, not today's default. Unknown keys that do not
    /// affect training are ignored. `origin` is the file's name, for messages.
    pub fn of_record(keys: &BTreeMap<String, Value>, origin: &str) -> Result<Self, Error> {
        Self::of_record_under(Schema::today(), keys, origin)
    }

    /// The same with another schema.
    pub fn of_record_under(
        schema: &'static Schema,
        keys: &BTreeMap<String, Value>,
        origin: &str,
    ) -> Result<Self, Error> {
        let mut keys = keys.clone();
        keys.retain(|name, _| !schema.passes_over(name));
        schema.fill_neutral(&mut keys, |_| true);
        let setting = |(name, value): (String, Value)| {
            let setting = parse::setting(schema, &name, value, origin.to_owned())?;
            Ok((setting.key.name, setting))
        };
        let settings = keys.into_iter().map(setting).collect::<Result<_, Error>>()?;
        Ok(Self { schema, settings, parts: Vec::new() })
    }

    /// Overrides a key in all groups of runs.
    fn insert(&mut self, setting: Setting) {
        self.parts.iter_mut().for_each(|part| {
            part.remove(setting.key.name);
        });
        self.settings.insert(setting.key.name, setting);
    }

    /// Overrides a key, given as `key=value`.
    pub fn set(&mut self, assignment: &str) -> Result<(), Error> {
        self.insert(parse::assignment(self.schema, assignment, "setting")?);
        Ok(())
    }

    /// Overrides a key with a value; `place` says in messages where it comes from.
    ///
    /// ```
    /// let mut recipe = lab::Recipe::parse("", "example.toml")?;
    /// recipe.set_value("train.epochs", 3.into(), "call")?;
    /// let slip = recipe.set_value("train.epochs", "three".into(), "call").unwrap_err();
    /// assert!(slip.to_string().starts_with("call: `train.epochs` is `three` (string)"), "{slip}");
    /// # Ok::<(), lab::Error>(())
    /// ```
    pub fn set_value(&mut self, key: &str, value: Value, place: &str) -> Result<(), Error> {
        self.insert(parse::setting(self.schema, key, value, place.to_owned())?);
        Ok(())
    }

    /// Overrides a key with a list of words or numbers, as `--seeds` and `--rules` do.
    pub fn set_list(&mut self, key: &str, values: &[String], flag: &str) -> Result<(), Error> {
        let value = |text: &String| {
            text.trim().parse().map_or_else(|_| Value::String(text.trim().to_owned()), Value::Integer)
        };
        let list = Value::Array(values.iter().map(value).collect());
        self.insert(parse::setting(self.schema, key, list, format!("{flag} {}", values.join(",")))?);
        Ok(())
    }

    /// Replaces the rules by these, each with keys of its own; a key that is set for one of them is set for no other. `place` says
    /// in messages where they come from.
    pub fn set_rules(&mut self, rules: &[Vec<(String, Value)>], place: &str) -> Result<(), Error> {
        // A rule may have been registered since.
        self.schema = Schema::today();
        if rules.iter().all(|keys| keys.len() == 1) {
            let names = rules.iter().flatten().map(|(_, name)| name.clone()).collect();
            return self.set_value("rule.name", Value::Array(names), place);
        }
        let part = |keys: &Vec<(String, Value)>| {
            let setting = |(key, value): &(String, Value)| {
                let setting = parse::setting(self.schema, key, value.clone(), place.to_owned())?;
                Ok((setting.key.name, setting))
            };
            keys.iter().map(setting).collect::<Result<Settings, Error>>()
        };
        let rules = rules.iter().map(part).collect::<Result<Vec<Settings>, Error>>()?;
        self.settings.remove("rule.name");
        let groups =
            if self.parts.is_empty() { vec![Settings::new()] } else { std::mem::take(&mut self.parts) };
        for mut group in groups {
            group.remove("rule.name");
            self.parts.extend(rules.iter().map(|rule| {
                let mut part = group.clone();
                part.extend(rule.clone());
                part
            }));
        }
        Ok(())
    }

    /// Names a recipe that does not set its own name.
    pub fn name_by_default(&mut self, name: &str) {
        let setting = parse::setting(self.schema, "name", name.into(), "file name".to_owned());
        if let (false, Ok(setting)) = (self.settings.contains_key("name"), setting) {
            self.settings.insert("name", setting);
        }
    }

    /// The name of the recipe, which is also the name of its folder of runs.
    pub fn name(&self) -> Result<String, Error> {
        match self.settings.get("name") {
            None => Ok("experiment".to_owned()),
            Some(Setting { values, place, .. }) => match values.as_slice() {
                [Value::String(name)] => Ok(name.clone()),
                _ => {
                    Err(Error::Recipe { place: place.clone(), message: "`name` cannot be a list".to_owned() })
                }
            },
        }
    }

    /// Every run of the recipe, checked, in the order in which they start.
    pub fn runs(&self) -> Result<Vec<RunSpec>, Error> {
        self.name()?;
        let merged = |part: &Settings| {
            let mut all = self.settings.clone();
            all.extend(part.clone());
            all
        };
        let groups: Vec<Settings> = match self.parts.as_slice() {
            [] => vec![self.settings.clone()],
            parts => parts.iter().map(merged).collect(),
        };
        let size = |group: &Settings| group.values().try_fold(1usize, |n, s| n.checked_mul(s.values.len()));
        let runs = groups.iter().try_fold(0usize, |n, group| n.checked_add(size(group)?));
        if runs.is_none_or(|runs| runs > MOST_RUNS) {
            let message = format!("the product of all lists is more than {MOST_RUNS} runs: shorten a list");
            return Err(Error::Recipe { place: "recipe".to_owned(), message });
        }
        let swept = swept(self.schema, &groups);
        let mut runs = Vec::<RunSpec>::new();
        let mut ids = BTreeSet::new();
        let mut recipes = BTreeSet::new();
        for group in &groups {
            let lists: Vec<&str> =
                group.values().filter(|s| s.values.len() > 1).map(|s| s.key.name).collect();
            let place = |name: &str| group.get(name).map_or("recipe", |s| s.place.as_str()).to_owned();
            let twice = twice(group);
            for mut choice in choices(self.schema, group) {
                complete(self.schema, &mut choice, &lists, &place)?;
                let run = RunSpec::new(self.schema, &choice, &swept, &place)?;
                // A key that is dropped for some rule leaves equal runs for that rule.
                if !recipes.insert(run.recipe_hash.clone()) && !twice {
                    continue;
                }
                if !ids.insert(run.id.clone()) {
                    let message =
                        format!("two runs would both be called `{}`: a value is listed twice", run.id);
                    return Err(Error::Recipe { place: "recipe".to_owned(), message });
                }
                runs.push(run);
            }
        }
        Ok(runs)
    }
}

/// Keys in which the runs differ.
fn swept(schema: &'static Schema, groups: &[Settings]) -> Vec<&'static str> {
    let differs = |key: &&Key| {
        let of = |group: &Settings| group.get(key.name).map(|s| s.values.clone());
        let first = groups.first().and_then(of);
        groups.iter().any(|group| of(group) != first) || first.is_some_and(|values| values.len() > 1)
    };
    schema.keys().iter().filter(differs).map(|key| key.name).collect()
}

/// Whether a list contains a value twice.
fn twice(group: &Settings) -> bool {
    let repeats = |values: &[Value]| (1..values.len()).any(|i| values[..i].contains(&values[i]));
    group.values().any(|setting| repeats(&setting.values))
}

/// The product of all lists.
fn choices(schema: &Schema, group: &Settings) -> Vec<Choice> {
    let mut choices = vec![Choice::new()];
    for setting in schema.keys().iter().filter_map(|key| group.get(key.name)) {
        let with = |choice: &Choice, value: &Value| {
            let mut choice = choice.clone();
            choice.insert(setting.key.name, value.clone());
            choice
        };
        choices = choices.iter().flat_map(|c| setting.values.iter().map(|v| with(c, v))).collect();
    }
    choices
}

/// Fills in defaults, and refuses keys that do not apply. If a key depends on a key that is a list, it is dropped for the
/// values of that list without it.
fn complete(
    schema: &'static Schema,
    choice: &mut Choice,
    swept: &[&str],
    place: &dyn Fn(&str) -> String,
) -> Result<(), Error> {
    // Keys that others depend on depend on no other key, so they come first.
    let (plain, dependent): (Vec<&Key>, Vec<&Key>) =
        schema.keys().iter().partition(|key| matches!(key.default, Preset::Always(_)));
    for key in plain.into_iter().chain(dependent) {
        let word = |selector: &str| choice.get(selector).and_then(Value::as_str);
        match (schema.default(key.name, word).cloned(), key.default) {
            (Some(default), _) => {
                choice.entry(key.name).or_insert(default);
            }
            (None, Preset::By(selector, _)) if swept.contains(&selector) => {
                choice.remove(key.name);
            }
            (None, Preset::By(selector, _)) if choice.contains_key(key.name) => {
                let word = word(selector).unwrap_or_default();
                let message =
                    format!("`{}` does not apply if `{selector}` is \"{word}\": leave it out", key.name);
                return Err(Error::Recipe { place: place(key.name), message });
            }
            (None, _) => {}
        }
    }
    Ok(())
}
