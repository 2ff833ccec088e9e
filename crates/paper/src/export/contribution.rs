//! A run's epochs in the format of one of the paper's files. These have no epoch 0 (before training). JSON has no
//! infinity and no NaN, so a log ends before the first epoch that would need one; a note says so.

use super::diagnostics::{audited, bp_cosine, nudging, perturbation_rho};
use super::facts::Facts;
use super::tree::FileContent;
use crate::files::{
    Diagnostics, Method, MethodLog, Penalised, PenalisedEntry, Results, SAMPLES, Snapshot, SnapshotEntry,
    of_mean,
};
use record::{Epoch, Run, Status};

/// What one run contributes to one file.
#[derive(Clone, Debug)]
pub(super) struct Contribution {
    /// The file as it would be with this run alone.
    pub(super) content: FileContent,
    /// Missing keys, relative to the slot's key, and why.
    pub(super) gaps: Vec<(&'static str, String)>,
    /// Caveats for readers of the file.
    pub(super) notes: Vec<String>,
}

/// Accuracy curves, diagnostics and drift.
pub(super) fn method(run: &Run, facts: &Facts) -> Result<Contribution, String> {
    let train = |e: &Epoch| e.train.map_or([f64::NAN; 2], |score| [score.loss, score.accuracy]);
    let (epochs, notes) = kept(run, |e| [&train(e)[..], &[e.test.accuracy]].concat())?;
    let mut gaps = Vec::new();
    let cosine = bp_cosine(run).map_err(|why| gaps.push(("diagnostics/bp_cosine", why))).ok();
    let units = audited(run).map_err(|e| e.to_string())?;
    let rho = perturbation_rho(&units).map_err(|why| gaps.push(("diagnostics/perturbation_rho", why))).ok();
    let nudging = nudging(&units).map_err(|why| gaps.push(("diagnostics/nudging/0.01", why))).ok();
    if run.record.drift.is_none() {
        gaps.push(("drift", "it is recorded at the end of a run".to_owned()));
    }
    let finite = |drift: &std::collections::BTreeMap<String, f64>| {
        drift.iter().filter(|(_, x)| x.is_finite()).map(|(name, &x)| (name.clone(), x)).collect()
    };
    let test_acc: Vec<f64> = epochs.iter().map(|e| e.test.accuracy).collect();
    let method = Method {
        final_acc: test_acc.last().copied().filter(|_| run.record.status == Status::Finished),
        log: MethodLog {
            train_acc: Some(epochs.iter().map(|e| train(e)[1]).collect()),
            train_loss: Some(epochs.iter().map(|e| train(e)[0]).collect()),
            test_acc: Some(test_acc),
            state_pred_error: epochs.iter().map(|e| state_error(e)).collect(),
        },
        diagnostics: Some(Diagnostics { bp_cosine: cosine, perturbation_rho: rho, nudging }),
        drift: run.record.drift.as_ref().map(finite),
    };
    let methods = [(facts.rule.clone(), method)].into();
    Ok(Contribution {
        content: FileContent::Results(Results([(facts.seed.to_string(), methods)].into())),
        gaps,
        notes,
    })
}

/// The state bridge's prediction error, if it is finite.
fn state_error(epoch: &Epoch) -> Option<f64> {
    epoch.evaluation.notes.get("state_pred_error").copied().filter(|x| x.is_finite())
}

/// Norms by layer.
pub(super) fn snapshot(run: &Run, facts: &Facts) -> Result<Contribution, String> {
    let (epochs, mut notes) =
        kept(run, |e| [e.evaluation.hidden(), e.evaluation.gradient(), vec![e.test.accuracy]].concat())?;
    notes.extend(other_samples(run));
    // Norms of a transformer are the class token's, under other names.
    let class_token = run.record.network.name == "vit";
    let entry = |e: &&Epoch| {
        let gradient = Some(e.evaluation.gradient().into_iter().map(of_mean).collect());
        let hidden = Some(e.evaluation.hidden());
        let plain =
            SnapshotEntry { epoch: e.epoch, acc_eval: Some(e.test.accuracy), ..SnapshotEntry::default() };
        match class_token {
            true => SnapshotEntry { hidden_norms_cls: hidden, bp_grad_per_sample_l2_med: gradient, ..plain },
            false => SnapshotEntry { hidden_norms: hidden, bp_grad_norms_per_sample_med: gradient, ..plain },
        }
    };
    let log = Some(epochs.iter().map(entry).collect());
    let snapshot = match facts.rule.as_str() {
        "bp" => Snapshot { bp_log: log, ..Snapshot::default() },
        "dfa" => Snapshot { dfa_log: log, ..Snapshot::default() },
        _ => Snapshot { fa_log: log, ..Snapshot::default() },
    };
    Ok(Contribution { content: FileContent::Snapshot(snapshot), gaps: Vec::new(), notes })
}

/// The few numbers that the paper keeps of a penalised run.
pub(super) fn penalised(run: &Run, facts: &Facts) -> Result<Contribution, String> {
    if run.epochs.iter().any(|e| e.evaluation.gradient().len() < 3) {
        return Err("the file holds ‖g_2‖, and a network of fewer than two blocks has no h_2".to_owned());
    }
    let last = |e: &Epoch| e.evaluation.hidden().last().copied().unwrap_or(f64::NAN);
    let (epochs, mut notes) = kept(run, |e| vec![last(e), e.evaluation.gradient()[2], e.test.accuracy])?;
    notes.extend(other_samples(run));
    let entry = |e: &&Epoch| PenalisedEntry {
        epoch: e.epoch,
        h_last_norm: Some(last(e)),
        g_2_norm: Some(of_mean(e.evaluation.gradient()[2])),
        acc_eval: Some(e.test.accuracy),
    };
    let penalised = Penalised { lam: Some(facts.penalty), log: epochs.iter().map(entry).collect() };
    Ok(Contribution { content: FileContent::Penalised(penalised), gaps: Vec::new(), notes })
}

/// The trained epochs up to the first with a number that is not finite, and notes on how the log ends.
fn kept(run: &Run, numbers: impl Fn(&Epoch) -> Vec<f64>) -> Result<(Vec<&Epoch>, Vec<String>), String> {
    let trained = || run.epochs.iter().filter(|e| e.epoch > 0);
    let finite = |e: &&Epoch| numbers(e).iter().all(|x| x.is_finite());
    let mut notes = Vec::new();
    match &run.record.status {
        Status::Finished => {}
        Status::Running => notes.push("has not finished: written as far as it got".to_owned()),
        Status::Interrupted => notes.push("was interrupted: written as far as it got".to_owned()),
        Status::Halted { check, .. } => {
            notes.push(format!("halted when {check} fired: written as far as it got"));
        }
        Status::Stopped { reason, .. } => {
            notes.push(format!("was stopped ({reason}): written as far as it got"))
        }
    }
    if trained().next().is_none() {
        return Err("it has no trained epoch yet".to_owned());
    }
    if let Some(end) = trained().find(|e| !finite(e)) {
        notes.push(format!("its log ends before epoch {}, where a number is not finite", end.epoch));
    }
    let epochs: Vec<_> = trained().take_while(finite).collect();
    if epochs.is_empty() {
        return Err("a number is not finite from its first epoch on".to_owned());
    }
    Ok((epochs, notes))
}

fn other_samples(run: &Run) -> Option<String> {
    let samples = run.last()?.evaluation.samples;
    (samples != SAMPLES).then(|| {
        format!("its gradient norms are medians over {samples} samples, written as ‖p‖/{SAMPLES} as the paper does")
    })
}
