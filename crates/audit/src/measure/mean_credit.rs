//! The mean credit over many draws, for rules that draw noise anew for each batch.

use super::Samples;
use super::signals::SignalBuffers;
use crate::measurements::{REDRAWS, RedrawnCredit, mean_credit, reached};
use nn::{Network, State};
use record::audit::{MeanCredit, Settings};
use rules::{Learner, Rule};

/// The curves of all units, on the samples of the nudge's nulls, so many at a time. Empty if the rule draws nothing anew, or
/// without nulls.
pub(super) fn mean_credits<N: Network<f32> + Network<f64>>(
    learner: &Learner<f32, N>,
    buffers: &mut SignalBuffers<'_, N>,
    states: &[State],
    samples: Samples<'_>,
    rows: usize,
    settings: &Settings,
) -> Vec<Vec<MeanCredit>> {
    let everywhere = learner.rule.credit().everywhere();
    let reach = |state: &State| if everywhere { state.width() } else { state.reached_features() };
    let inputs = learner.net.shape().inputs;
    let draws = REDRAWS[REDRAWS.len() - 1];
    let mut cosines = vec![REDRAWS.map(|_| Vec::new()); states.len()];
    let most = if settings.draws > 0 { settings.null_samples as usize } else { 0 };
    let n = samples.labels.len().min(most);
    for (part, labels) in samples.labels[..n].chunks(rows).enumerate() {
        // A rule places its noise by the row alone, so every part has draws of its own.
        let fresh = |draw: u64| learner.rule.fresh_draw(part as u64 * draws + draw);
        let fresh: Vec<Box<dyn Rule<f32, N>>> = (0..draws).map_while(fresh).collect();
        if fresh.is_empty() {
            break;
        }
        let x = &samples.x[part * rows * inputs..][..labels.len() * inputs];
        let p = buffers.gradients(Samples { x, labels });
        buffers.forward();
        let cut = |p: &[f64], state: &State| reached(p, state.width(), reach(state)).into_owned();
        let p: Vec<Vec<f64>> = p.iter().zip(states).map(|(p, state)| cut(p, state)).collect();
        let mut redrawn: Vec<RedrawnCredit<'_>> =
            p.iter().zip(states).map(|(p, state)| RedrawnCredit::new(p, reach(state))).collect();
        for rule in &fresh {
            let credit = buffers.credit(&**rule, labels);
            for ((redrawn, credit), state) in redrawn.iter_mut().zip(&credit).zip(states) {
                redrawn.add(&reached(credit, state.width(), reach(state)));
            }
        }
        for (all, redrawn) in cosines.iter_mut().zip(&redrawn) {
            all.iter_mut().zip(redrawn.cosines()).for_each(|(all, more)| all.extend(more));
        }
    }
    cosines.iter().zip(states).map(|(cosines, state)| mean_credit(cosines, reach(state))).collect()
}
