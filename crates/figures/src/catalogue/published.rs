//! Published values, as plain data. They are drawn in addition to measured ones and always marked as published.

use crate::reader::Setting;
use serde::Deserialize;

/// All published values.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Published {
    pub citation: String,
    pub rules: Vec<PublishedRule>,
    /// Where `rules` come from.
    pub sources: Vec<String>,
    /// What their gradient norms were measured on.
    pub setting: String,
    pub classes: u64,
    /// The network that `rules` were measured on, as far as it is known.
    pub network: Setting,
    /// Figures show those of a network with as many blocks as the one drawn, else the first.
    pub accuracies: Vec<PublishedAccuracies>,
}

/// What was published of a rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct PublishedRule {
    pub rule: String,
    pub accuracy: f64,
    /// Mean cosine over blocks.
    pub gamma: f64,
    /// Cosine of a_l with the gradient at h_l, l = 0…L−1.
    pub cosine: Vec<f64>,
    /// ‖g_l‖ at the N of the D2 floor, l = 0…L.
    pub gradient: Vec<f64>,
}

/// Test accuracies after the last epoch.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct PublishedAccuracies {
    pub blocks: u64,
    /// Rule, mean over seeds, and standard deviation if given.
    pub rows: Vec<(String, f64, Option<f64>)>,
    pub source: String,
    /// What they were measured on.
    pub setting: String,
}

impl Published {
    pub(super) fn accuracies(&self, blocks: Option<u64>) -> Option<&PublishedAccuracies> {
        let same = self.accuracies.iter().find(|table| Some(table.blocks) == blocks);
        same.or(self.accuracies.first())
    }
}
