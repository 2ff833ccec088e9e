//! Batches as pure functions of where they stand.
//!
//! The order of an epoch depends on (seed, epoch), the view of a sample on (seed, epoch, position in the epoch), and
//! on nothing drawn before: a run that resumes in mid-epoch asks for the next batch and gets the one it would have
//! had.

use tensor::random::{Purpose, Stream};

use crate::view::PAD;
use crate::{Split, View};

/// Where a batch stands: run, epoch, and position of its first sample in the epoch's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The run's seed.
    pub seed: u64,
    /// The epoch, from 0.
    pub epoch: u64,
    /// Position of the batch's first sample in the epoch.
    pub start: usize,
}

/// The order of the `n` training samples in an epoch: every sample once, shuffled.
pub fn order(seed: u64, epoch: u64, n: usize) -> Vec<u32> {
    let n = u32::try_from(n).expect("a data set holds fewer than 2^32 samples");
    let mut order: Vec<u32> = (0..n).collect();
    Stream::at(seed, Purpose::Order, epoch, 0).shuffle(&mut order);
    order
}

/// The crop and flip of the sample at `position` in an epoch.
pub fn view(seed: u64, epoch: u64, position: usize) -> View {
    let mut stream = Stream::at(seed, Purpose::Augment, epoch, position as u64);
    let mut shift = || stream.below(2 * PAD as u64 + 1) as u8;
    let (top, left) = (shift(), shift());
    View::Crop { top, left, flip: stream.below(2) == 1 }
}

/// Writes the batch at `place`: one row of `x` and one label for each of `labels.len()` samples.
///
/// # Panics
/// If the batch reaches beyond `order`, if `x` is not `labels.len()` rows of the split's inputs, or if `augment` is
/// asked of a data set that has no images ([`DataSpec::can_augment`](crate::DataSpec::can_augment) tells).
pub fn fill(split: &Split, order: &[u32], place: Place, augment: bool, x: &mut [f32], labels: &mut [u8]) {
    let Place { seed, epoch, start } = place;
    assert_eq!(x.len(), labels.len() * split.inputs(), "x must hold one row of inputs for each label");
    let samples = &order[start..start + labels.len()];
    for (i, ((&sample, row), label)) in
        samples.iter().zip(x.chunks_exact_mut(split.inputs())).zip(labels).enumerate()
    {
        let view = if augment { view(seed, epoch, start + i) } else { View::Plain };
        split.write(sample as usize, view, row);
        *label = split.label(sample as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataSpec, Folder, load};

    #[test]
    fn an_order_holds_every_sample_once_and_differs_by_epoch_and_seed() {
        let first = order(42, 0, 1000);
        assert_eq!(first, order(42, 0, 1000));
        assert_ne!(first, order(42, 1, 1000));
        assert_ne!(first, order(43, 0, 1000));
        let mut sorted = first;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn views_reach_every_corner_evenly() {
        let (mut tops, mut flips) = ([0; 9], 0);
        for position in 0..9000 {
            let View::Crop { top, left, flip } = view(1, 2, position) else { panic!("no crop") };
            assert!(left <= 8);
            tops[usize::from(top)] += 1;
            flips += usize::from(flip);
        }
        // Five standard deviations of a binomial count.
        assert!(tops.iter().all(|&count: &i32| (count - 1000).abs() < 150), "{tops:?}");
        assert!((4263..4737).contains(&flips), "{flips}");
    }

    #[test]
    fn a_batch_does_not_depend_on_how_the_epoch_is_cut() {
        let digits = load(&DataSpec::Digits, &Folder::at("")).unwrap();
        let order = order(7, 3, digits.train.len());
        let batch = |start, n| {
            let (mut x, mut labels) = (vec![0.0; n * digits.inputs], vec![0; n]);
            let place = Place { seed: 7, epoch: 3, start };
            fill(&digits.train, &order, place, true, &mut x, &mut labels);
            (x, labels)
        };
        let whole = batch(0, 30);
        let (left, right) = (batch(0, 17), batch(17, 13));
        assert_eq!(whole.0, [left.0, right.0].concat());
        assert_eq!(whole.1, [left.1, right.1].concat());
    }
}
