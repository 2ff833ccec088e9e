//! One epoch of a trial, from any kind of file.

use super::Layers;
use protocol::{Moment, last_gradient, least_error};
use record::{Epoch, EpochAudit, Series};
use std::collections::BTreeMap;

/// The state of a trial after an epoch; epoch 0 is before any training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EpochPoint {
    /// Epochs trained so far.
    pub epoch: u64,
    /// Over the training batches, measured during training.
    pub train_accuracy: Option<f64>,
    /// Accuracy on the test set.
    pub test_accuracy: Option<f64>,
    /// Over the training batches, measured during training.
    pub train_loss: Option<f64>,
    /// Error of a state bridge's prediction of h_L.
    pub state_error: Option<f64>,
    /// Median ‖e_T‖ at the logits.
    pub error: Option<f64>,
    /// Largest ‖h_{l+1}‖ / ‖h_l‖ over the blocks.
    pub growth: Option<f64>,
    /// Norms and cosines by layer; ρ and nudges if they were measured after this epoch.
    pub layers: Layers,
    /// All series by layer that its log holds, by name.
    pub series: BTreeMap<String, Series>,
    /// The audit after this epoch, with its nulls.
    pub audit: Option<EpochAudit>,
}

impl EpochPoint {
    /// Median ‖h_l‖.
    pub fn hidden(&self, l: usize) -> Option<f64> {
        self.layers.hidden.at(l)
    }

    /// Median ‖h_L‖.
    pub fn hidden_last(&self) -> Option<f64> {
        self.layers.hidden.last()
    }

    /// Median ‖p_l‖ of per-sample gradients; divided by N, it is ‖g_l‖ of the mean over N samples.
    pub fn gradient_at(&self, l: usize) -> Option<f64> {
        self.layers.gradient.at(l)
    }

    /// Median ‖p_L‖.
    pub fn gradient_last(&self) -> Option<f64> {
        self.layers.gradient.last()
    }

    /// What the checks look at. If the records lack the error, the accuracy bounds it.
    pub fn moment(&self) -> Moment {
        Moment {
            epoch: self.epoch,
            growth: self.growth,
            gradient: last_gradient([self.gradient_last()]),
            error: self.error.or_else(|| self.test_accuracy.and_then(least_error)),
        }
    }
}

impl From<Epoch> for EpochPoint {
    fn from(epoch: Epoch) -> Self {
        Self {
            epoch: epoch.epoch,
            train_accuracy: epoch.train.map(|score| score.accuracy),
            test_accuracy: Some(epoch.test.accuracy),
            train_loss: epoch.train.map(|score| score.loss),
            state_error: epoch.evaluation.notes.get("state_pred_error").copied(),
            error: Some(epoch.evaluation.error),
            growth: Moment::of(&epoch).growth,
            layers: Layers::of_epoch(&epoch),
            series: epoch.evaluation.series,
            audit: epoch.audit.map(|mut audit| {
                audit.units.iter_mut().for_each(|unit| protocol::assess(unit, Some(epoch.test.loss)));
                audit
            }),
        }
    }
}
