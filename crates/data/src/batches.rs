//! Batches as pure functions of seed, epoch and position.
//!
//! The order of an epoch depends on (seed, epoch), the crop of a sample on (seed, epoch, position in the epoch), and
//! neither on anything drawn before: a run that resumes in mid-epoch gets the batch it would have had.

use std::ops::Range;
use tensor::random::{Purpose, Stream};

use crate::view::PAD;
use crate::{Split, View};

/// Which batch it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPosition {
    /// The run's seed.
    pub seed: u64,
    /// The epoch, from 0.
    pub epoch: u64,
    /// Position of the batch's first sample in the epoch's order.
    pub start: usize,
}

/// Batches in an epoch of `n` samples. The last one may be smaller; it is kept.
pub fn batches(n: usize, batch: usize) -> usize {
    n.div_ceil(batch)
}

/// The places of the samples of a batch in the order of an epoch.
pub fn batch_range(n: usize, batch: usize, index: usize) -> Range<usize> {
    let start = index * batch;
    start..n.min(start + batch)
}

/// The order of the `n` training samples in an epoch: every sample once, shuffled.
pub fn order(seed: u64, epoch: u64, n: usize) -> Vec<u32> {
    let n = u32::try_from(n).expect("a data set holds fewer than 2^32 samples");
    let mut order: Vec<u32> = (0..n).collect();
    Stream::at(seed, Purpose::Order, epoch, 0).shuffle(&mut order);
    order
}

/// The crop and flip of the sample at `position` in an epoch.
fn view(seed: u64, epoch: u64, position: usize) -> View {
    let mut stream = Stream::at(seed, Purpose::Augment, epoch, position as u64);
    let [top, left] = [(); 2].map(|()| stream.below(2 * PAD as u64 + 1) as u8);
    View::Crop { top, left, flip: stream.below(2) == 1 }
}

/// Writes a batch: one row of `x` and one label for each of `labels.len()` samples.
///
/// # Panics
/// If the batch reaches beyond `order`, if `x` is not `labels.len()` rows of the split's inputs, or if `augment` is
/// asked of a data set without images (see [`DataSpec::can_augment`](crate::DataSpec::can_augment)).
pub fn fill(
    split: &Split,
    order: &[u32],
    position: BatchPosition,
    augment: bool,
    x: &mut [f32],
    labels: &mut [u8],
) {
    let BatchPosition { seed, epoch, start } = position;
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
        let mut tops = [0; 9];
        let mut flips = 0;
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
            let mut x = vec![0.0; n * digits.inputs];
            let mut labels = vec![0; n];
            let position = BatchPosition { seed: 7, epoch: 3, start };
            fill(&digits.train, &order, position, true, &mut x, &mut labels);
            (x, labels)
        };
        let whole = batch(0, 30);
        let left = batch(0, 17);
        let right = batch(17, 13);
        assert_eq!(whole.0, [left.0, right.0].concat());
        assert_eq!(whole.1, [left.1, right.1].concat());
    }
}
