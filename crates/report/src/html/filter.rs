//! The bar by which a reader filters the runs and marks an epoch or a layer. It needs the script, and is hidden without.

use super::records::Ink;
use super::runs::RunPart;
use record::escape::xml;
use record::{Unit, series::Series};
use std::collections::BTreeSet;

/// Fewer values than this are buttons, more are a list.
const MANY: usize = 7;

/// The bar; it has no field for what all runs share.
pub(super) fn bar(parts: &[RunPart<'_>], inks: &[Ink], keys: &[String]) -> String {
    let rules: Vec<_> = inks.iter().map(|ink| (ink.rule.clone(), ink.title.clone())).collect();
    let seeds = distinct(parts.iter().map(|part| part.run.record.provenance.seed.to_string()));
    let of_key = |key: &String| {
        let value =
            |part: &RunPart<'_>| part.keys.iter().find(|pair| pair.0 == *key).map(|pair| pair.1.clone());
        field(key, "any", &distinct(parts.iter().filter_map(value)))
    };
    let networks = distinct(parts.iter().map(RunPart::network));
    // Rule and seed have their own.
    let of_keys: String =
        keys.iter().filter(|key| *key != "rule.name" && *key != "seed").map(of_key).collect();
    let of_keys = match of_keys.matches("<select").count() {
        n if n < MANY => of_keys,
        _ => format!(
            "<details class=\"keys\">\n<summary>Recipe keys</summary>\n<div>\n{of_keys}</div>\n</details>\n"
        ),
    };
    let fields = buttons("rule", &rules)
        + &if seeds.len() < MANY { buttons("seed", &seeds) } else { field("seed", "any", &seeds) }
        + &field("network", "any", &networks)
        + "<label>epoch <input type=\"number\" min=\"0\" data-keep=\"epoch\"></label>\n"
        + &field("layer", "none", &layers(parts))
        + &of_keys;
    format!(
        "<details id=\"bar\" open>\n<summary>Filter and mark <output id=\"count\"></output></summary>\n<div>\n{fields}\
         <button type=\"button\" class=\"quiet\" id=\"reset\">Reset</button>\n</div>\n</details>\n"
    )
}

/// Values with themselves as words, numbers by size.
fn distinct(values: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let mut all: Vec<String> = values.collect::<BTreeSet<_>>().into_iter().collect();
    let number = |value: &String| value.parse::<f64>().unwrap_or(f64::INFINITY);
    all.sort_by(|a, b| number(a).total_cmp(&number(b)));
    all.into_iter().map(|value| (value.clone(), value)).collect()
}

/// The units of the deepest network, by the words of addresses.
fn layers(parts: &[RunPart<'_>]) -> Vec<(String, String)> {
    let series =
        parts.iter().flat_map(|part| &part.run.epochs).flat_map(|epoch| epoch.evaluation.series.values());
    let units = |series: &Series| (0..series.values.len()).map(|index| series.at.unit(index) + 1).max();
    let depth = series.filter_map(units).max().unwrap_or(0);
    let word = |unit: usize| match unit.checked_sub(1) {
        Some(block) => (block.to_string(), Unit::at(unit).to_string()),
        None => ("embed".to_owned(), "embed".to_owned()),
    };
    (0..depth).map(word).collect()
}

fn buttons(name: &str, values: &[(String, String)]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let name = xml(name);
    let button = |(value, words): &(String, String)| {
        let (value, words) = (xml(value), xml(words));
        format!(
            "<button type=\"button\" class=\"chip\" data-name=\"{name}\" data-word=\"{value}\">{words}</button>\n"
        )
    };
    let all: String = values.iter().map(button).collect();
    format!("<div class=\"chips\" role=\"group\" aria-label=\"{name}\"><span>{name}</span>\n{all}</div>\n")
}

/// A list; `none` is what it says where nothing is chosen.
fn field(name: &str, none: &str, values: &[(String, String)]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let name = xml(name);
    let option = |(value, words): &(String, String)| {
        format!("<option value=\"{}\">{}</option>\n", xml(value), xml(words))
    };
    let all: String = values.iter().map(option).collect();
    format!(
        "<label>{name} <select data-keep=\"{name}\">\n<option value=\"\">{none}</option>\n{all}</select></label>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_listed_once_and_numbers_by_size() {
        let values = ["100", "9", "none", "9", "1e-4"].map(str::to_owned);
        let shown: Vec<String> = distinct(values.into_iter()).into_iter().map(|pair| pair.0).collect();
        assert_eq!(shown, ["1e-4", "9", "100", "none"]);
    }

    #[test]
    fn there_is_no_field_for_what_all_share_and_names_stay_text() {
        let one = [("<b>".to_owned(), "<b>".to_owned())];
        assert_eq!(buttons("rule", &one) + &field("network", "any", &one), "");
        let two = [one[0].clone(), ("\"".to_owned(), "&".to_owned())];
        let html = buttons("rule", &two) + &field("network", "any", &two);
        assert!(!html.contains("<b>") && html.matches("&lt;b&gt;").count() == 4, "{html}");
        assert!(html.contains("data-word=\"&quot;\"") && html.contains("value=\"&quot;\""), "{html}");
    }
}
