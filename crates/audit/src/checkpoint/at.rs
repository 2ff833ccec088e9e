//! What is added up at one layer: what is done there once, and the credits held against it, of the unit that acts there and of
//! the one that the paper compares.

use super::chunk::Signals;
use super::layer::Layer;
use super::sums::{Chunk, Place};
use crate::measure::{Directions, Downstream};
use record::audit::Settings;

/// A layer and the credits held against it.
pub(super) struct AtLayer {
    pub(super) layer: Layer,
    pub(super) here: Place,
    pub(super) paper: Option<Place>,
}

impl AtLayer {
    /// `paper` tells whether the unit above has a credit of the same size, which alone can be held against this layer.
    pub(super) fn new(credits: usize, etas: usize, paper: bool) -> Self {
        Self {
            layer: Layer::default(),
            here: Place::new(credits, etas, true),
            paper: paper.then(|| Place::new(credits, etas, false)),
        }
    }

    /// Adds a chunk.
    pub(super) fn add(
        &mut self,
        chunk: &Chunk<'_>,
        signals: &Signals,
        directions: Directions<'_>,
        rest: &mut dyn Downstream,
        settings: &Settings,
    ) {
        let l = chunk.layer;
        let of = |unit: usize| signals.credits.iter().map(|credit| &credit[unit][..]).collect::<Vec<_>>();
        let moved = self.layer.add(chunk, directions, rest, settings);
        self.here.add(chunk, &of(l), &moved, rest, settings);
        if let Some(paper) = &mut self.paper {
            // Where the source reports another credit, the nulls, which are draws of the rule's own, are none of it.
            let held = signals.paper.as_ref().map_or_else(|| of(l + 1), |reported| vec![&reported[l][..]]);
            paper.add(chunk, &held, &moved, rest, settings);
        }
    }
}

/// Layers for each thread, with about equal numbers of blocks above them.
pub(super) fn share_out(at: &mut [AtLayer], threads: usize) -> Vec<Vec<(usize, &mut AtLayer)>> {
    let layers = at.len();
    let mut shares: Vec<(usize, Vec<_>)> = (0..threads).map(|_| (0, Vec::new())).collect();
    for (l, at) in at.iter_mut().enumerate() {
        if let Some(least) = shares.iter_mut().min_by_key(|(work, _)| *work) {
            least.0 += layers - l;
            least.1.push((l, at));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}
