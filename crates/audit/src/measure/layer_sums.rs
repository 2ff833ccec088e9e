//! Sums at one layer: its perturbation, and the credits compared there: that of the unit that acts there, and the one that
//! the paper compares.

use super::credit_sums::{CreditSums, StateChunk};
use super::perturbation::Perturbation;
use super::signals::Signals;
use crate::measurements::{Directions, Downstream};
use record::audit::Settings;

/// The sums of one layer.
pub(super) struct LayerSums {
    pub(super) perturbation: Perturbation,
    pub(super) here: CreditSums,
    pub(super) paper: Option<CreditSums>,
}

impl LayerSums {
    /// `paper`: whether the unit above has credit of the same size, so that it can be compared at this layer.
    pub(super) fn new(credits: usize, etas: usize, paper: bool) -> Self {
        Self {
            perturbation: Perturbation::default(),
            here: CreditSums::new(credits, etas, true),
            paper: paper.then(|| CreditSums::new(credits, etas, false)),
        }
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
        let credits =
            |unit: usize| signals.credits.iter().map(|credit| &credit[unit][..]).collect::<Vec<_>>();
        let moved = self.perturbation.add(chunk, directions, rest, settings);
        self.here.add(chunk, &credits(l), &moved, rest, settings);
        if let Some(paper) = &mut self.paper {
            // If the paper reports another credit, the nulls do not apply: they are drawn for the rule's own.
            let compared =
                signals.paper.as_ref().map_or_else(|| credits(l + 1), |reported| vec![&reported[l][..]]);
            paper.add(chunk, &compared, &moved, rest, settings);
        }
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
