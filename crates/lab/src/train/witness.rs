//! Evidence that a run leaves for an audit: its own credit on a fixed batch, the hash of its feedback, and at some epochs a
//! small audit.

use super::batch::testing;
use crate::RunSpec;
use crate::recipe::hex;
use audit::{Samples, Training, measure};
use data::Dataset;
use nn::Net;
use record::EpochAudit;
use rules::{Chunk, Learner, Saved};
use sha2::{Digest, Sha256};

/// Number of samples whose credit is recorded.
const RECORDED: usize = 64;

/// The raw credit that training uses on the first test samples, computed by the training code itself.
pub(super) fn used_credit(
    spec: &RunSpec,
    data: &Dataset,
    learner: &Learner<f32, Net>,
    chunk: &mut Chunk<f32, Net>,
) -> Vec<Vec<f32>> {
    let room = chunk.x.len() / data.inputs;
    let rows = RECORDED.min(data.test.len()).min(spec.batch).min(room);
    testing(data, 0..rows, chunk);
    chunk.used = Some(Vec::new());
    learner.learn(chunk, spec.batch, 1);
    chunk.used.take().unwrap_or_default()
}

/// SHA-256 of the rule's fixed feedback; `None` if it has none.
pub(crate) fn feedback_hash(saved: &[Saved<f32>]) -> Option<String> {
    let mut feedback = saved.iter().filter(|tensor| tensor.fixed).peekable();
    feedback.peek()?;
    let mut hash = Sha256::new();
    for tensor in feedback {
        hash.update(tensor.name.as_bytes());
        tensor.values.iter().for_each(|x| hash.update(x.to_le_bytes()));
    }
    Some(hex(&hash.finalize()))
}

/// ρ, nudge and nulls on a few samples.
pub(super) fn audit_epoch(
    spec: &RunSpec,
    learner: &Learner<f32, Net>,
    data: &Dataset,
    threads: usize,
) -> EpochAudit {
    let settings = &spec.audit.settings;
    let (x, labels) = first_samples(data, settings.samples as usize);
    let training = Training { lr: None, ..spec.training() };
    let found = measure(learner, Samples { x: &x, labels: &labels }, training, settings, threads);
    EpochAudit {
        samples: settings.samples,
        directions: settings.directions,
        draws: settings.draws,
        units: found.units,
    }
}

/// The first `n` test samples, unaugmented.
pub(crate) fn first_samples(data: &Dataset, n: usize) -> (Vec<f32>, Vec<u8>) {
    let mut x = vec![0.0; n * data.inputs];
    let mut labels = vec![0; n];
    data.test.fill(0, &mut x, &mut labels);
    (x, labels)
}
