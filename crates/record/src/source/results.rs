//! `results_cifar10.json`: accuracy curves, diagnostics and drift of every method, under the seed.

use super::SourceFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole file: seed, then method, as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Results(pub BTreeMap<String, BTreeMap<String, Method>>);

impl Results {
    /// The methods that the source compares.
    pub const METHODS: [&str; 5] = ["bp", "fa", "dfa", "state_bridge", "credit_bridge"];
}

/// One method under one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Curves over epochs, from epoch 1.
    pub log: MethodLog,
    /// What was measured after the last epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<Diagnostics>,
    /// ‖W_end − W_start‖ / ‖W_start‖ by parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<BTreeMap<String, f64>>,
    /// Test accuracy after the last epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_acc: Option<f64>,
}

/// Curves over epochs, all of one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodLog {
    /// Accuracy over the training batches as they were seen.
    pub train_acc: Vec<f64>,
    /// Accuracy on the test set.
    pub test_acc: Vec<f64>,
    /// Loss over the training batches as they were seen.
    pub train_loss: Vec<f64>,
    /// How far the state bridge's prediction of h_L is off; of that rule only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_pred_error: Option<Vec<f64>>,
}

/// Measurements by layer, l = 0…L−1, in the source's convention: a_l against p_l.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// Mean cosine between credit and gradient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bp_cosine: Option<Vec<f64>>,
    /// Correlation between predicted and true change of the loss under random perturbations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perturbation_rho: Option<Vec<f64>>,
    /// Change of the loss after a step against the credit, by step size as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudging: Option<BTreeMap<String, Vec<f64>>>,
}

impl SourceFile for Results {
    fn check(&self) -> Result<(), String> {
        for (seed, methods) in &self.0 {
            for (name, Method { log, .. }) in methods {
                let epochs = log.train_acc.len();
                let further = [
                    ("test_acc", Some(&log.test_acc)),
                    ("train_loss", Some(&log.train_loss)),
                    ("state_pred_error", log.state_pred_error.as_ref()),
                ];
                for (key, list) in further {
                    if let Some(list) = list.filter(|list| list.len() != epochs) {
                        let found = list.len();
                        return Err(format!(
                            "`{seed}/{name}/log/{key}` has {found} epochs, `train_acc` beside it has {epochs}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}
