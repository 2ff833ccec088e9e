//! Which records a figure is drawn from: those of the rules and settings that the author names.

use super::{Options, Refusal};
use crate::catalogue::Request;
use crate::catalogue::composed::field::{Field, same, word};
use crate::plot::{INK, palette};
use crate::reader::{Records, Trial};
use crate::text::{TextStyle, Typesetter};
use record::{escape, nearest};
use std::collections::BTreeMap;
use toml::Value;

/// Short names of keys.
const SHORT: [(&str, &str); 4] =
    [("d", "net.d"), ("L", "net.blocks"), ("network", "net.name"), ("data", "data.name")];

impl Request {
    /// The request as the options want it, or what they ask for that the records do not hold.
    pub fn wanting(mut self, options: Options, setter: &Typesetter) -> Result<Self, Refusal> {
        let known = self.rules();
        for (key, rules) in [
            ("rules", options.rules.iter().collect::<Vec<_>>()),
            ("label", options.labels.keys().collect()),
            ("colour", options.colours.keys().collect()),
            ("marker", options.markers.keys().collect()),
        ] {
            let is_held = |rule: &str| known.iter().any(|known| known == rule);
            // Looks may be given to rules that are not there, so that one file serves several folders.
            let is_known = |rule: &str| is_held(rule) || (key != "rules" && palette::is_listed(rule));
            if let Some(rule) = rules.into_iter().find(|rule| !is_known(rule)) {
                return Err(Refusal::new(key, unknown_rule(rule, &known)));
            }
        }
        check_labels(&options.labels, setter)?;
        if !options.rules.is_empty() {
            let is_wanted = |rule: &str| options.rules.iter().any(|wanted| wanted == rule);
            self.records.trials.retain(|trial| is_wanted(&trial.rule));
            self.records.systems.retain(|trial| is_wanted(&trial.rule));
            if let Some(published) = &mut self.published {
                published.rules.retain(|known| is_wanted(&known.rule));
                published.accuracies.iter_mut().for_each(|table| table.rows.retain(|row| is_wanted(&row.0)));
            }
            self.records.order.clone_from(&options.rules);
        }
        for (key, wanted) in &options.settings {
            choose(&mut self.records, key, wanted)?;
        }
        self.names.extend(options.labels.clone());
        (self.spread, self.convention) = (options.spread, options.convention);
        self.options = options;
        Ok(self)
    }

    /// The rules of the records and of the published values, in the order of legends.
    fn rules(&self) -> Vec<String> {
        let trials = self.records.trials.iter().chain(&self.records.systems).map(|trial| &trial.rule);
        let published =
            self.published.iter().flat_map(|published| published.rules.iter().map(|known| &known.rule));
        let tables = self.published.iter().flat_map(|published| &published.accuracies);
        let rows = tables.flat_map(|table| table.rows.iter().map(|row| &row.0));
        let mut rules: Vec<String> = trials.chain(published).chain(rows).cloned().collect();
        rules.sort_by(|a, b| record::rules::place(a).cmp(&record::rules::place(b)));
        rules.dedup();
        rules
    }
}

fn unknown_rule(rule: &str, known: &[String]) -> String {
    let rule = escape::visible(rule);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let hint = match nearest(&rule, known.iter().copied(), 3) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", known.join(", ")),
    };
    format!("no run of a rule `{rule}` is among the records; {hint}")
}

/// Names are tried before anything is drawn.
fn check_labels(labels: &BTreeMap<String, String>, setter: &Typesetter) -> Result<(), Refusal> {
    let style = TextStyle { size: 10.0, bold: false, italic: false, colour: INK };
    for (rule, name) in labels {
        let wrong = |why: String| Refusal::new("label", format!("{rule}={}: {why}", escape::visible(name)));
        setter.set(name, &style).map_err(|e| wrong(e.to_string()))?;
        if labels.iter().any(|(other, its)| other < rule && its == name) {
            return Err(wrong("that is another rule's name already".to_owned()));
        }
    }
    Ok(())
}

/// Keeps the trials whose recipes give a key one of these values, and those of which nothing is known.
fn choose(records: &mut Records, short: &str, wanted: &[Value]) -> Result<(), Refusal> {
    let field = field(records, short)?;
    let trials = || records.trials.iter().chain(&records.systems);
    let mut counts: Vec<(Value, usize)> = Vec::new();
    for value in trials().filter_map(|trial| value(&field, trial)) {
        match counts.iter_mut().find(|(known, _)| same(known, &value)) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.sort_by(|(a, _), (b, _)| field.order(records, a, b));
    if let Some(missing) = wanted.iter().find(|wanted| !counts.iter().any(|(value, _)| same(value, wanted))) {
        let runs = |count: usize| if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
        let there: Vec<String> =
            counts.iter().map(|(value, count)| format!("{} ({})", word(value), runs(*count))).collect();
        let message = format!("no run has {short} = {}; there are {}", word(missing), there.join(", "));
        return Err(Refusal::new("settings", escape::visible(&message).into_owned()));
    }
    let fits = |trial: &Trial| match value(&field, trial) {
        Some(value) => wanted.iter().any(|wanted| same(wanted, &value)),
        // A recipe without the key is of something else; a file of others says nothing of itself.
        None => trial.keys.is_none(),
    };
    records.trials.retain(fits);
    records.systems.retain(fits);
    Ok(())
}

/// The key of that name: short, whole, or the end of one that no other key ends with.
fn field(records: &Records, short: &str) -> Result<Field, Refusal> {
    let whole = SHORT.iter().find(|(known, _)| *known == short).map_or(short, |(_, key)| key);
    let all = records.trials.iter().chain(&records.systems);
    let mut names: Vec<&str> = all
        .filter_map(|trial| trial.keys.as_ref())
        .flat_map(|keys| keys.recipe().keys())
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    let ending = |name: &&&str| name.rsplit_once('.').is_some_and(|(_, end)| end == whole);
    let is_short = SHORT.iter().any(|(known, _)| *known == short);
    let found: Vec<&&str> = names.iter().filter(ending).collect();
    match (names.contains(&whole) || is_short, &found[..]) {
        (true, _) => Ok(Field::Key(whole.to_owned())),
        (false, [one]) => Ok(Field::Key((**one).to_owned())),
        (false, [_, _, ..]) => {
            let found: Vec<String> = found.iter().map(|name| format!("`{name}`")).collect();
            Err(Refusal::new("settings", format!("`{short}` can be {}", found.join(" or "))))
        }
        (false, []) => {
            let shorts = SHORT.iter().map(|(short, _)| *short);
            let hint = match nearest(short, names.into_iter().chain(shorts), 3) {
                Some(close) => format!("did you mean `{close}`?"),
                None => "no recipe among the records has it".to_owned(),
            };
            Err(Refusal::new("settings", format!("unknown key `{}`: {hint}", escape::visible(short))))
        }
    }
}

/// A trial's value of a key; of a file without a recipe, what it is known to be of.
fn value(field: &Field, trial: &Trial) -> Option<Value> {
    let Field::Key(key) = field else { return field.of(trial) };
    let whole = |number: Option<u64>| number.and_then(|n| i64::try_from(n).ok()).map(Value::Integer);
    let named = |name: &str| (!name.is_empty()).then(|| Value::String(name.to_owned()));
    let setting = &trial.setting;
    field.of(trial).or_else(|| match key.as_str() {
        "net.d" => whole(setting.d),
        "net.blocks" => whole(setting.blocks),
        "net.name" => named(&setting.network),
        "data.name" => named(&setting.data),
        "train.epochs" => whole(setting.epochs),
        _ => None,
    })
}
