//! Values that others published, as plain data. They are drawn beside measured ones, always marked as published, and never in
//! place of a measurement.

use serde::Deserialize;

/// What a figure may draw of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// What to cite.
    pub citation: String,
    /// Rules with what is usually reported of them, and their values by layer.
    pub rules: Vec<PublishedRule>,
    /// Where those come from.
    pub sources: Vec<String>,
    /// What their gradient norms were measured on.
    pub setting: String,
    /// Classes of their task.
    pub classes: u64,
    /// Test accuracies; that of a network with as many blocks as the one that is drawn is shown, else the first.
    pub accuracies: Vec<PublishedAccuracies>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRule {
    /// The rule.
    pub rule: String,
    /// Test accuracy.
    pub accuracy: f64,
    /// Mean cosine over blocks.
    pub gamma: f64,
    /// Cosine of a_l with the gradient at h_l, l = 0…L−1.
    pub cosine: Vec<f64>,
    /// ‖g_l‖ at the N that the floor is stated for, l = 0…L.
    pub gradient: Vec<f64>,
}

/// Test accuracies after the last epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedAccuracies {
    /// Blocks of the network.
    pub blocks: u64,
    /// Each rule's mean over seeds, and its standard deviation where one was given.
    pub rows: Vec<(String, f64, Option<f64>)>,
    /// Where they come from.
    pub source: String,
    /// What they were measured on.
    pub setting: String,
}

impl Published {
    /// The accuracies of a network with so many blocks, else the first.
    pub(super) fn accuracies(&self, blocks: Option<u64>) -> Option<&PublishedAccuracies> {
        let same = self.accuracies.iter().find(|table| Some(table.blocks) == blocks);
        same.or(self.accuracies.first())
    }
}
