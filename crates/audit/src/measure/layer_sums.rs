//! Sums at one layer: its perturbation, and the credits compared there: that of the unit that acts there, and the one that
//! the paper compares.

use super::credit_sums::{CreditSums, StateChunk};
use super::perturbation::{Perturbation, move_states};
use super::signals::Signals;
use crate::measurements::{Directions, Downstream, Held};
use record::audit::Settings;

/// The sums of one layer.
pub(super) struct LayerSums {
    pub(super) perturbation: Perturbation,
    pub(super) here: CreditSums,
    pub(super) paper: Option<CreditSums>,
    /// How carried loss changes agree with those of passes.
    pub(super) held: Held,
}

impl LayerSums {
    /// `paper`: whether the unit above has credit of the same size, so that it can be compared at this layer.
    pub(super) fn new(credits: usize, etas: usize, paper: bool) -> Self {
        Self {
            perturbation: Perturbation::default(),
            here: CreditSums::new(credits, etas, true),
            paper: paper.then(|| CreditSums::new(credits, etas, false)),
            held: Held::default(),
        }
    }

    /// Whether carried loss changes count here.
    pub(super) fn agrees(&self) -> bool {
        self.held.agrees(self.perturbation.step.map_or(0.0, |step| step.rounding))
    }

    /// Adds a chunk.
    pub(super) fn add<Label: Copy>(
        &mut self,
        chunk: &StateChunk<'_, Label>,
        signals: &Signals,
        directions: Directions<'_>,
        rest: &mut dyn Downstream<Label>,
        settings: &Settings,
    ) {
        let l = chunk.layer;
        let wide = |credit: &[f32]| credit.iter().map(|&a| f64::from(a)).collect::<Vec<f64>>();
        let credits =
            |unit: usize| signals.credits.iter().map(|credit| wide(&credit[unit])).collect::<Vec<_>>();
        let here = credits(l);
        // If the paper reports another credit, the nulls do not apply: they are drawn for the rule's own.
        let paper = match (&self.paper, &signals.paper) {
            (None, _) => Vec::new(),
            (Some(_), Some(reported)) => vec![wide(&reported[l])],
            (Some(_), None) => credits(l + 1),
        };
        let [here, paper] = [&here, &paper].map(|all| all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut compared = vec![(&mut self.here, &here[..])];
        compared.extend(self.paper.as_mut().map(|sums| (sums, &paper[..])));
        move_states(&mut self.perturbation, &mut compared, chunk, directions, rest, settings);
    }
}

/// Distributes layers over threads, with about equal numbers of blocks above them.
pub(super) fn share_out(sums: &mut [LayerSums], threads: usize) -> Vec<Vec<(usize, &mut LayerSums)>> {
    let layers = sums.len();
    let mut shares: Vec<(usize, Vec<_>)> = (0..threads).map(|_| (0, Vec::new())).collect();
    for (l, sums) in sums.iter_mut().enumerate() {
        if let Some(least) = shares.iter_mut().min_by_key(|(work, _)| *work) {
            least.0 += layers - l;
            least.1.push((l, sums));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}
