//! `checkpoint.safetensors`: everything that a run needs to go on as if it had never stopped.
//!
//! Weights stand under PyTorch's names and shapes, so that `load_state_dict(strict=True)` takes them; the optimiser
//! is under `optim.`, the rule's tensors under `feedback.` or `rule.`. The position is JSON in the file's metadata,
//! beside a digest of all tensors, since the format itself does not notice a flipped bit.

use crate::recipe::hex;
use crate::{Error, Position};
use nn::{Mlp, Network};
use rules::{Learner, Tally};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

/// Where a run stood when it was saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    schema: String,
    /// Hash of the recipe it belongs to.
    pub recipe_hash: String,
    /// Length of `metrics.jsonl` at that moment.
    pub metrics_bytes: u64,
    epoch: u64,
    step: u64,
    t: u64,
    loss: f64,
    correct: u64,
    samples: u64,
    seconds: f64,
    digest: String,
}

/// Key of the position in the file's metadata.
const KEY: &str = "creditscope";

impl Checkpoint {
    /// Name of the file in a run directory.
    pub const FILE: &str = "checkpoint.safetensors";
    const SCHEMA: &str = "creditscope.checkpoint/1";

    /// The position to go on from.
    pub fn position(&self) -> Position {
        let tally = Tally { loss: self.loss, correct: self.correct, samples: self.samples };
        Position { epoch: self.epoch, step: self.step, t: self.t, tally, seconds: self.seconds }
    }

    /// Writes the learner and its position, atomically.
    pub fn write(
        directory: &Path,
        learner: &Learner<f32, Mlp>,
        position: &Position,
        recipe_hash: &str,
        metrics_bytes: u64,
    ) -> Result<(), Error> {
        let tensors: Vec<(String, Vec<usize>, Vec<u8>)> =
            named(learner).map(|(name, shape, values)| (name, shape, to_bytes(&values))).collect();
        let mut digest = Sha256::new();
        for (name, _, bytes) in &tensors {
            digest.update(name.as_bytes());
            digest.update(bytes);
        }
        let head = Self {
            schema: Self::SCHEMA.to_owned(),
            recipe_hash: recipe_hash.to_owned(),
            metrics_bytes,
            epoch: position.epoch,
            step: position.step,
            t: position.t,
            loss: position.tally.loss,
            correct: position.tally.correct,
            samples: position.tally.samples,
            seconds: position.seconds,
            digest: hex(&digest.finalize()),
        };
        let head = serde_json::to_string(&head).expect("a head is plain data");
        let views = tensors.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), bytes).expect("shape and values agree");
            (name.as_str(), view)
        });
        let bytes = safetensors::serialize(views, Some(HashMap::from([(KEY.to_owned(), head)])))
            .expect("named tensors can be written");
        Ok(record::atomic::write(&directory.join(Self::FILE), &bytes)?)
    }

    /// Reads a checkpoint into the learner; `None` where there is none yet.
    pub fn read(directory: &Path, learner: &mut Learner<f32, Mlp>) -> Result<Option<Self>, Error> {
        let path = directory.join(Self::FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(record::Error::io("read", &path, source).into()),
        };
        Self::decode(&bytes, learner).map(Some).map_err(|problem| Error::Checkpoint { path, problem })
    }

    fn decode(bytes: &[u8], learner: &mut Learner<f32, Mlp>) -> Result<Self, String> {
        let damaged = |e: &dyn std::fmt::Display| format!("it is damaged ({e})");
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| damaged(&e))?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| damaged(&e))?;
        let head = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let head = head.ok_or("it was not written by creditscope")?;
        let head: Self = serde_json::from_str(head).map_err(|e| damaged(&e))?;
        if head.schema != Self::SCHEMA {
            return Err(format!("it has schema `{}`, this program reads `{}`", head.schema, Self::SCHEMA));
        }
        let wanted: Vec<(String, Vec<usize>)> =
            named(learner).map(|(name, shape, _)| (name, shape)).collect();
        let mut digest = Sha256::new();
        for (name, shape) in &wanted {
            let view = tensors.tensor(name).map_err(|_| format!("it lacks the tensor {name}"))?;
            if view.shape() != shape || view.dtype() != Dtype::F32 {
                return Err(format!("{name} has shape {:?}, expected {shape:?}", view.shape()));
            }
            digest.update(name.as_bytes());
            digest.update(view.data());
        }
        if hex(&digest.finalize()) != head.digest {
            return Err("it is damaged (its tensors do not have the digest it states)".to_owned());
        }
        let values =
            |name: &str| tensors.tensor(name).map(|view| from_bytes(view.data())).expect("checked above");
        for tensor in Network::<f32>::layout(&learner.net).tensors() {
            let name = &tensor.name;
            tensor.from_torch(&values(name), &mut learner.params);
            tensor.from_torch(&values(&format!("optim.first.{name}")), &mut learner.first);
            tensor.from_torch(&values(&format!("optim.second.{name}")), &mut learner.second);
        }
        for saved in learner.rule.saved_mut() {
            saved.values = values(&saved.name);
        }
        Ok(head)
    }
}

/// Every tensor of a checkpoint: name, shape, and values in PyTorch's order.
fn named(learner: &Learner<f32, Mlp>) -> impl Iterator<Item = (String, Vec<usize>, Vec<f32>)> {
    let tensors = Network::<f32>::layout(&learner.net).tensors();
    let groups =
        [("", &learner.params), ("optim.first.", &learner.first), ("optim.second.", &learner.second)];
    let network = groups.into_iter().flat_map(move |(prefix, flat)| {
        tensors.iter().map(move |t| (format!("{prefix}{}", t.name), t.shape.clone(), t.to_torch(flat)))
    });
    network.chain(learner.rule.saved().iter().map(|s| (s.name.clone(), s.shape.clone(), s.values.clone())))
}

fn to_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
