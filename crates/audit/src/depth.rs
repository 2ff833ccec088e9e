//! Depth utility: a run beside the same recipe with frozen blocks and the same seed.

use record::Run;

/// Whether the recipe leaves every block at its initial value.
pub fn is_frozen(run: &Run) -> bool {
    let last = run.key("rule.trainable_last").and_then(toml::Value::as_integer);
    run.key("rule.frozen").and_then(toml::Value::as_bool) == Some(true) || last == Some(0)
}

/// The matched baseline of a run: complete, frozen, the same data, and the same recipe (seed included) in all but the
/// freezing and what is measured on the way. A penalty moves nothing but the blocks themselves, and so nothing where they are
/// frozen, except under `bp`, where it flows on to the embedding.
pub fn baseline<'a>(run: &Run, others: &'a [Run]) -> Option<&'a Run> {
    let is_free = |key: &str| {
        matches!(key, "name" | "rule.frozen" | "rule.trainable_last")
            || (key == "rule.penalty" && run.record.rule != "bp")
    };
    others.iter().find(|other| {
        is_frozen(other)
            && other.record.status.is_complete()
            && other.record.provenance.data_hash == run.record.provenance.data_hash
            && difference(run, other, is_free).is_none()
    })
}

/// The accuracy of the matched baseline, trained for as many epochs as the run has been.
///
/// ```no_run
/// use audit::{Thresholds, frozen_accuracy};
/// let paths = record::find_runs("runs/demo".as_ref())?;
/// let runs: Vec<record::Run> = paths.iter().map(|path| record::Run::read(path)).collect::<Result<_, _>>()?;
/// for run in &runs {
///     let accuracy = run.last().map_or(f64::NAN, |epoch| epoch.test.accuracy);
///     println!("{:?}", Thresholds::default().depth_utility(accuracy, frozen_accuracy(run, &runs)));
/// }
/// # Ok::<(), record::Error>(())
/// ```
pub fn frozen_accuracy(run: &Run, others: &[Run]) -> Option<f64> {
    let epochs = run.last()?.epoch;
    let epoch = baseline(run, others)?.epochs.iter().find(|epoch| epoch.epoch == epochs)?;
    Some(epoch.test.accuracy)
}

/// A key, with both values, in which two recipes differ; keys that only steer what is measured, and those that `ignored`
/// names, do not count.
pub fn difference(a: &Run, b: &Run, ignored: impl Fn(&str) -> bool) -> Option<(String, String, String)> {
    let show = |value: Option<&toml::Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let counts = |key: &&String| !key.starts_with("audit.") && !ignored(key);
    let key = a.recipe.keys().chain(b.recipe.keys()).filter(counts).find(|key| a.key(key) != b.key(key))?;
    Some((key.clone(), show(a.key(key)), show(b.key(key))))
}
