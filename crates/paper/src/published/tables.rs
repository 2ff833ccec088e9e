//! The shape of the data file, and its tables.

use super::panels::{Hero, Penalty, Sweep};
use figures::catalogue::PublishedAccuracies;
use serde::Deserialize;
use std::sync::LazyLock;

/// Everything that was published.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// What to cite.
    pub citation: String,
    /// The main table.
    pub main: Table<MainRow>,
    /// Accuracies with frozen blocks.
    pub frozen: Table<RatedRow>,
    /// When the first checks fired.
    pub firing: Firing,
    /// Accuracies of the wide and deep network.
    pub deep: Table<RatedRow>,
    /// Cosines by block, a_l with the gradient at h_l.
    pub cosines: Vec<CosineRow>,
    /// The figure with the three panels.
    pub hero: Hero,
    /// The figure of the penalty.
    pub penalty: Penalty,
    /// Lines typed into the figure of several penalties.
    pub sweep: Sweep,
    /// The linear toy, where the exact costate is known.
    pub lq: Lq,
}

/// The published values.
///
/// ```
/// let dfa = paper::published::published().main.rows.iter().find(|row| row.rule == "dfa").unwrap();
/// assert_eq!((dfa.accuracy.mean, dfa.accuracy.sd), (0.306, Some(0.008)));
/// ```
pub fn published() -> &'static Published {
    static VALUES: LazyLock<Published> = LazyLock::new(|| {
        toml::from_str(include_str!("published.toml")).expect("the data file is part of the program")
    });
    &VALUES
}

/// What any figure may draw of them.
pub fn for_figures() -> figures::Published {
    let Published { citation, hero, main, deep, .. } = published();
    let accuracies =
        |blocks: u64, rows: Vec<(&str, Value)>, source: &str, setting: &str| PublishedAccuracies {
            blocks,
            rows: rows.into_iter().map(|(rule, known)| (rule.to_owned(), known.mean, known.sd)).collect(),
            source: source.to_owned(),
            setting: setting.to_owned(),
        };
    let in_main = main.rows.iter().map(|row| (row.rule.as_str(), row.accuracy)).collect();
    let in_deep = deep.rows.iter().map(|row| (row.rule.as_str(), row.accuracy)).collect();
    figures::Published {
        citation: citation.clone(),
        rules: hero.rows.clone(),
        sources: hero.sources.clone(),
        setting: hero.setting.clone(),
        classes: 10,
        accuracies: vec![
            accuracies(4, in_main, &main.source, &main.setting),
            accuracies(12, in_deep, &deep.source, &deep.setting),
        ],
    }
}

/// A value as published.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The value, a mean over seeds where there are several.
    pub mean: f64,
    /// Its standard deviation (n−1) over seeds; absent where none was given.
    pub sd: Option<f64>,
    /// What the later text has where it differs from the figure.
    pub text: Option<f64>,
}

/// A value that was published as an approximate one or as a range.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// As it is printed, such as `3–8e3` or `≤ 4e-9`.
    pub text: String,
    /// Its lower end; absent where only an upper one is stated.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// Rows, one per rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table<R> {
    /// Where the values come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
    /// A row per rule.
    pub rows: Vec<R>,
}

/// A row of the main table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MainRow {
    /// The rule.
    pub rule: String,
    /// Test accuracy after the last epoch.
    pub accuracy: Value,
    /// ‖h_L‖, where published.
    pub hidden: Option<Printed>,
    /// ‖g_L‖, where published.
    pub gradient: Option<Printed>,
    /// The verdict in words.
    pub verdict: String,
}

/// The accuracy of a rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedRow {
    /// The rule.
    pub rule: String,
    /// Test accuracy after the last epoch.
    pub accuracy: Value,
    /// Whether it was published as "about".
    #[serde(default)]
    pub about: bool,
}

/// When D1 and D2 first fired under a rule, seed by seed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firing {
    /// Where the values come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
    /// The rule.
    pub rule: String,
    /// N of the gradient norms that D2 was judged by.
    pub samples: u64,
    /// First epochs of D1.
    pub growth: Vec<u64>,
    /// First epochs of D2.
    pub floor: Vec<u64>,
}

/// The cosines of a rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CosineRow {
    /// Where the values come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
    /// The study that measures them again.
    pub study: String,
    /// The rule.
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    /// Cosine of a_l with the gradient at h_l, l = 0…L−1.
    pub by_block: Vec<f64>,
}

/// The linear toy.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lq {
    /// Where the values come from.
    pub source: String,
    /// A row per rule.
    pub rows: Vec<LqRow>,
}

/// A rule on the linear toy.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LqRow {
    /// The rule.
    pub rule: String,
    /// Cosine of the credit with the exact costate.
    pub cosine: f64,
}
