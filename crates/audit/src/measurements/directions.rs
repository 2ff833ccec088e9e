//! Steps of hidden states along random directions, and the changes of the loss.

use super::moves::steps_by_passes;
use super::{Downstream, Moves, Unmoved};
use tensor::random::Stream;
use tensor::{Float, Mat, matmul};

/// Unit vectors along which states are moved, sample by sample, the same number for each.
#[derive(Clone, Copy, Debug)]
pub struct Directions<'a> {
    /// The vectors, one after the other.
    pub vectors: &'a [f64],
    /// Length of each. Of a longer state, the first values are moved and the rest stay.
    pub reach: usize,
}

impl Directions<'_> {
    /// Vectors per sample.
    pub(crate) fn each(&self, samples: usize) -> usize {
        self.vectors.len() / self.reach / samples
    }
}

/// `count` random unit vectors of `width`, row by row.
pub fn unit_directions(stream: &mut Stream, count: usize, width: usize) -> Vec<f64> {
    let mut directions: Vec<f64> = (0..count * width).map(|_| stream.normal()).collect();
    for row in directions.chunks_exact_mut(width) {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    }
    directions
}

/// (L(h + εv) − L(h − εv)) / 2 for every sample and direction, sample by sample, by whole passes.
pub fn loss_changes<Label: Copy>(
    rest: &mut dyn Downstream<Label>,
    unmoved: &Unmoved<'_, Label>,
    directions: Directions<'_>,
    step: f64,
) -> Vec<f64> {
    let mut moves = Moves::default();
    moves.step(directions, unmoved.labels.len(), step);
    steps_by_passes(rest, unmoved, &moves.steps)
}

/// ⟨signal, v⟩ for every sample and direction, one column per signal. Signals have one row of `reach` per sample.
pub(crate) fn predictions<A: Float>(
    signals: &[&[A]],
    directions: Directions<'_>,
    samples: usize,
) -> Vec<f64> {
    let columns = signals.len();
    let reach = directions.reach;
    let each = directions.each(samples);
    let mut predicted = vec![0.0; samples * each * columns];
    if predicted.is_empty() {
        return predicted;
    }
    let mut of_sample = vec![0.0; columns * reach];
    let rows = predicted.chunks_exact_mut(each * columns).zip(directions.vectors.chunks_exact(each * reach));
    for (i, (predicted, vectors)) in rows.enumerate() {
        for (row, signal) in of_sample.chunks_exact_mut(reach).zip(signals) {
            let signal = &signal[i * reach..(i + 1) * reach];
            row.iter_mut().zip(signal).for_each(|(wide, x)| *wide = x.to_f64());
        }
        matmul(predicted, 1.0, Mat::new(vectors, each, reach), Mat::new(&of_sample, columns, reach).t());
    }
    predicted
}

#[cfg(test)]
mod tests {
    use super::super::moves::NUMBERS;
    use super::*;

    /// The loss is a weighted sum of the state, so its change along v is that of v.
    struct Weighted {
        weights: Vec<f64>,
        most: usize,
    }

    impl Downstream for Weighted {
        fn losses(&mut self, _: usize, states: &[f64], labels: &[u8], losses: &mut [f64]) {
            self.most = self.most.max(states.len());
            assert_eq!((labels.len(), states.len()), (losses.len(), losses.len() * self.weights.len()));
            for (loss, h) in losses.iter_mut().zip(states.chunks_exact(self.weights.len())) {
                *loss = h.iter().zip(&self.weights).map(|(h, w)| h * w).sum();
            }
        }
    }

    #[test]
    fn wide_states_are_moved_a_few_at_a_time_and_only_where_directions_reach() {
        let width = 20_000;
        let reach = 5;
        let samples = 3;
        let each = 7;
        let weights: Vec<f64> = (0..width).map(|i| (i as f64).cos()).collect();
        let mut rest = Weighted { weights: weights.clone(), most: 0 };
        let mut stream = Stream::new(1, tensor::random::Purpose::Audit);
        let vectors = unit_directions(&mut stream, samples * each, reach);
        let h: Vec<f64> = (0..samples * width).map(|_| stream.normal()).collect();
        let directions = Directions { vectors: &vectors, reach };
        let labels = [0; 3];
        let losses = rest.unmoved(0, &h, &labels);
        rest.most = 0;
        let unmoved = Unmoved { layer: 0, h: &h, labels: &labels, losses: &losses };
        let changes = loss_changes(&mut rest, &unmoved, directions, 0.5);
        assert!(rest.most <= NUMBERS, "{}", rest.most);
        assert_eq!(changes.len(), samples * each);
        let slopes = predictions(&[&weights[..reach].repeat(samples)[..]], directions, samples);
        for (change, slope) in changes.iter().zip(slopes) {
            assert!((change - 0.5 * slope).abs() < 1e-11, "{change} for {slope}");
        }
    }
}
