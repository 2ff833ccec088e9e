//! `results_cifar10.json`: accuracy curves, diagnostics and drift of every method, under the seed.

use super::PaperFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole file: seed, then method, as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Results(pub BTreeMap<String, BTreeMap<String, Method>>);

impl Results {
    /// The methods of the paper's comparison.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodLog {
    /// Accuracy over the training batches as they were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_acc: Option<Vec<f64>>,
    /// Accuracy on the test set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_acc: Option<Vec<f64>>,
    /// Loss over the training batches as they were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train_loss: Option<Vec<f64>>,
    /// Error of the state bridge's prediction of h_L; only for that rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_pred_error: Option<Vec<f64>>,
}

/// Measurements by layer, l = 0…L−1, in the paper's convention: a_l against p_l.
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

impl MethodLog {
    fn curves(&self) -> [(&'static str, Option<&Vec<f64>>); 4] {
        [
            ("train_acc", self.train_acc.as_ref()),
            ("test_acc", self.test_acc.as_ref()),
            ("train_loss", self.train_loss.as_ref()),
            ("state_pred_error", self.state_pred_error.as_ref()),
        ]
    }

    /// Number of epochs of the first curve present.
    pub fn epochs(&self) -> Option<usize> {
        self.curves().into_iter().find_map(|(_, curve)| curve.map(Vec::len))
    }
}

impl Diagnostics {
    fn lists(&self) -> Vec<(String, &Vec<f64>)> {
        let lists = [("bp_cosine", &self.bp_cosine), ("perturbation_rho", &self.perturbation_rho)];
        let lists = lists.into_iter().filter_map(|(key, list)| Some((key.to_owned(), list.as_ref()?)));
        let nudges = self.nudging.iter().flatten().map(|(eta, list)| (format!("nudging/{eta}"), list));
        lists.chain(nudges).collect()
    }

    /// Number of layers of the first list present.
    pub fn layers(&self) -> Option<usize> {
        self.lists().first().map(|(_, list)| list.len())
    }
}

impl Method {
    /// Checks the lengths of its lists; `at` is its path.
    fn check(&self, at: &str) -> Result<(), String> {
        let curves = self.log.curves().into_iter().filter_map(|(key, curve)| Some((key.to_owned(), curve?)));
        same_lengths(&format!("{at}/log"), "epochs", &curves.collect::<Vec<_>>())?;
        if self.log.epochs() == Some(0) {
            return Err(format!("`{at}/log` is empty"));
        }
        self.diagnostics.as_ref().map_or(Ok(()), |diagnostics| {
            same_lengths(&format!("{at}/diagnostics"), "layers", &diagnostics.lists())
        })
    }
}

fn same_lengths(at: &str, what: &str, lists: &[(String, &Vec<f64>)]) -> Result<(), String> {
    let Some((first, length)) = lists.first().map(|(key, list)| (key, list.len())) else { return Ok(()) };
    match lists.iter().find(|(_, list)| list.len() != length) {
        Some((key, list)) => {
            let found = list.len();
            Err(format!("`{at}/{key}` has {found} {what}, but `{first}` in the same object has {length}"))
        }
        None => Ok(()),
    }
}

impl PaperFile for Results {
    fn check(&self) -> Result<(), String> {
        if self.0.values().all(BTreeMap::is_empty) {
            return Err("holds no method: expected seeds, such as `42`, and methods below them".to_owned());
        }
        let methods = || self.0.iter().flat_map(|(seed, methods)| methods.iter().map(move |m| (seed, m)));
        methods().try_for_each(|(seed, (name, method))| method.check(&format!("{seed}/{name}")))
    }

    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (seed, methods) in &self.0 {
            for (name, Method { log, .. }) in methods {
                let needed = log.curves().into_iter().filter(|(key, _)| *key != "state_pred_error");
                let absent = needed.filter(|(_, curve)| curve.is_none());
                missing.extend(absent.map(|(key, _)| format!("`{seed}/{name}/log` has no key `{key}`")));
            }
        }
        missing
    }
}
