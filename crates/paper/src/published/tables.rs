//! The structure of `published.toml`, and its tables.
#![expect(missing_docs, reason = "`published.toml` shows what the fields hold")]

use super::panels::{Hero, Penalty, Sweep};
use figures::catalogue::PublishedAccuracies;
use figures::reader::Setting;
use serde::Deserialize;
use std::sync::LazyLock;

/// Everything that was published.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    pub citation: String,
    pub main: Table<MainRow>,
    pub frozen: Table<RatedRow>,
    pub calibration: Calibration,
    pub firing: Firing,
    pub early: Early,
    pub mechanism: Mechanism,
    /// Accuracies of the wide and deep network.
    pub deep: Table<RatedRow>,
    /// Cosines by block, a_l with the gradient at h_l.
    pub cosines: Vec<CosineRow>,
    pub hero: Hero,
    pub penalty: Penalty,
    pub sweep: Sweep,
    /// The linear-quadratic system, whose exact costate is known.
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

/// The values that figures of any runs may draw.
pub fn for_figures() -> figures::Published {
    let Published { citation, hero, main, deep, .. } = published();
    let row = |rule: &str, known: &Value| (rule.to_owned(), known.mean, known.sd);
    let in_main = PublishedAccuracies {
        blocks: 4,
        rows: main.rows.iter().map(|known| row(&known.rule, &known.accuracy)).collect(),
        source: main.source.clone(),
        setting: main.setting.clone(),
    };
    let in_deep = PublishedAccuracies {
        blocks: 12,
        rows: deep.rows.iter().map(|known| row(&known.rule, &known.accuracy)).collect(),
        source: deep.source.clone(),
        setting: deep.setting.clone(),
    };
    figures::Published {
        citation: citation.clone(),
        rules: hero.rows.clone(),
        sources: hero.sources.clone(),
        setting: hero.setting.clone(),
        classes: 10,
        network: Setting {
            network: "resmlp".to_owned(),
            d: Some(256),
            blocks: Some(4),
            ..Setting::default()
        },
        accuracies: vec![in_main, in_deep],
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
    /// The value in the paper's text, where it differs from the figure.
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
    pub high: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table<R> {
    pub source: String,
    pub setting: String,
    pub rows: Vec<R>,
}

/// What the limits of D1 and D2 lie between.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    pub source: String,
    pub growth: Parted,
    /// The largest growth in the first epochs of a healthy ViT.
    pub young_vit: f64,
    pub gradient: Parted,
}

/// The worst value of healthy runs and the best of degenerate ones.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parted {
    pub healthy: f64,
    pub degenerate: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MainRow {
    pub rule: String,
    pub accuracy: Value,
    pub hidden: Option<Printed>,
    pub gradient: Option<Printed>,
    pub verdict: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedRow {
    pub rule: String,
    pub accuracy: Value,
    /// Whether it was published as "about".
    #[serde(default)]
    pub about: bool,
    /// The mean over layers of the cosine of a_l with p_l, seed 42.
    pub cosine: Option<f64>,
}

/// When D1 and D2 first fired under a rule, seed by seed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firing {
    pub source: String,
    pub setting: String,
    pub rule: String,
    /// N of the gradient norms that D2 was judged by.
    pub samples: u64,
    pub growth: Vec<u64>,
    pub floor: Vec<u64>,
}

/// The first epochs of a rule, from logs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Early {
    pub source: String,
    pub setting: String,
    pub rule: String,
    /// N of the gradient norms.
    pub samples: u64,
    /// Mean cosine of a_l with p_l over l ≥ 1 after epoch 1.
    pub deep: Value,
    /// Cosine of a_0 with p_0 after epoch 1, seed by seed.
    pub first: Vec<f64>,
    /// ‖g_L‖ after epochs 1, 2, …, seed by seed.
    pub gradient: Vec<Vec<f64>>,
    /// Largest growth over a block after the last epoch.
    pub growth: Printed,
}

/// ‖h_L‖ after three epochs of dfa.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    pub source: String,
    pub setting: String,
    pub random_targets: f64,
    pub no_skip: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CosineRow {
    pub source: String,
    pub setting: String,
    /// The study that measures them again.
    pub study: String,
    pub rule: String,
    /// λ; 0 without a penalty.
    pub penalty: f64,
    /// Cosine of a_l with the gradient at h_l, l = 0…L−1.
    pub by_block: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lq {
    pub source: String,
    pub rows: Vec<LqRow>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LqRow {
    pub rule: String,
    /// Cosine of the credit with the exact costate.
    pub cosine: Value,
    pub rho: f64,
}
