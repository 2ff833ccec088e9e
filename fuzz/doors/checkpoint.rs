//! Checkpoints. Whoever forges one can compute its digest, so the door states the right one and gets past that check.

use super::{FOLDER, accepted, file};
use safetensors::SafeTensors;
use sha2::{Digest, Sha256};
use std::sync::{LazyLock, Mutex};

/// The run that the checkpoint is read for: a record and a learner of its recipe.
static RUN: LazyLock<(record::Provenance, Mutex<rules::Learner<f32, nn::Net>>)> = LazyLock::new(|| {
    let recipe = "data.name = 'lq'\nnet.name = 'lq'\nlq.train = 8\nlq.test = 8\nnet.d = 2\nnet.blocks = 2\n\
                  train.batch = 4\neval.samples = 4\nrule.name = 'dfa'";
    let recipe = lab::Recipe::parse(recipe, "recipe.toml").expect("a recipe");
    let spec = recipe.runs().expect("a run").remove(0);
    let machine = record::Machine { cpu: String::new(), cores: 1, system: String::new() };
    let provenance = record::Provenance {
        version: String::new(),
        recipe_hash: "r".to_owned(),
        identity: None,
        numerics: vec![1],
        data: String::new(),
        data_hash: String::new(),
        seed: 1,
        machine,
        threads: 1,
        started: String::new(),
        ended: None,
        resumed: 0,
        elsewhere: None,
    };
    (provenance, Mutex::new(spec.learner().expect("a learner")))
});

pub(crate) fn checkpoint(bytes: &[u8]) -> bool {
    let (provenance, learner) = &*RUN;
    let forged = forged(bytes);
    file("checkpoint.safetensors", forged.as_deref().unwrap_or(bytes));
    let learner = &mut learner.lock().expect("no door panics");
    let restored = lab::Checkpoint::read(FOLDER.path(), provenance, learner);
    if let Ok(Some(restored)) = &restored {
        let _ = restored.checkpoint.position();
    }
    accepted(&restored, "checkpoint.safetensors")
}

/// The same with the digest that its content has, if it states one at all.
fn forged(bytes: &[u8]) -> Option<Vec<u8>> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).ok()?;
    let tensors = SafeTensors::deserialize(bytes).ok()?;
    let head = metadata.metadata().as_ref()?.get("creditscope")?;
    let mut head: lab::Checkpoint = serde_json::from_str(head).ok()?;
    let stated = std::mem::take(&mut head.digest);
    let mut digest = Sha256::new_with_prefix(serde_json::to_vec(&head).ok()?);
    let mut tensors = tensors.tensors();
    tensors.sort_by_key(|(_, view)| view.data().as_ptr());
    for (name, view) in &tensors {
        digest.update(name.as_bytes());
        digest.update(view.data());
    }
    let right: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if stated.len() != right.len() {
        return None;
    }
    let at = bytes.windows(stated.len()).position(|window| window == stated.as_bytes())?;
    Some([&bytes[..at], right.as_bytes(), &bytes[at + stated.len()..]].concat())
}
