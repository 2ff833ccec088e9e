//! What a run's checkpoint holds, to the byte.

use record::Run;
use safetensors::SafeTensors;
use std::collections::BTreeMap;
use std::path::Path;

/// Every tensor by name: weights, moments, what the rule saves, recorded credit.
pub(crate) fn tensors(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let bytes = std::fs::read(run.join(Run::CHECKPOINT)).expect("a checkpoint");
    let all = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    all.tensors().into_iter().map(|(name, view)| (name, view.data().to_vec())).collect()
}

/// Names of the tensors that differ, or that only one of the two has.
pub(crate) fn differing(a: &Path, b: &Path) -> Vec<String> {
    let (a, b) = (tensors(a), tensors(b));
    let only = b.keys().filter(|name| !a.contains_key(*name));
    a.keys().filter(|name| a.get(*name) != b.get(*name)).chain(only).cloned().collect()
}
