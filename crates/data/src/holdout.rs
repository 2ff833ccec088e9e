//! Training samples held out for validation.

use tensor::random::{Purpose, Stream};

/// Which samples of the training split are trained on, and which validate. A pure function of the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holdout {
    /// Indices of the samples to train on; all of them, in their order, where none is held out.
    pub train: Vec<u32>,
    /// Indices of the others.
    pub validation: Vec<u32>,
}

impl Holdout {
    /// Keeps the first `train` of `n` samples after a shuffle by the seed; all of them in their own order if that is all.
    ///
    /// ```
    /// let holdout = data::Holdout::new(42, 10, 7);
    /// assert_eq!((holdout.train.len(), holdout.validation.len()), (7, 3));
    /// assert_eq!(data::Holdout::new(42, 3, 3).train, [0, 1, 2]);
    /// ```
    pub fn new(seed: u64, n: usize, train: usize) -> Self {
        let all = u32::try_from(n).expect("a data set holds fewer than 2^32 samples");
        let mut order: Vec<u32> = (0..all).collect();
        if train < n {
            Stream::at(seed, Purpose::Holdout, 0, 0).shuffle(&mut order);
        }
        let validation = order.split_off(train.min(n));
        Self { train: order, validation }
    }

    /// The order in which an epoch visits the samples to train on: every one once, shuffled.
    pub fn order(&self, seed: u64, epoch: u64) -> Vec<u32> {
        let places = crate::order(seed, epoch, self.train.len());
        places.into_iter().map(|place| self.train[place as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_trains_or_validates_and_the_seed_decides_which() {
        let holdout = Holdout::new(42, 1000, 900);
        let mut all = [&holdout.train[..], &holdout.validation].concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
        assert_eq!(holdout, Holdout::new(42, 1000, 900));
        assert_ne!(holdout, Holdout::new(43, 1000, 900));
        // Fewer samples are a part of more, so that sizes can be compared.
        assert_eq!(Holdout::new(42, 1000, 500).train, holdout.train[..500]);
        let mut visited = holdout.order(42, 3);
        assert_ne!(visited, holdout.order(42, 4));
        visited.sort_unstable();
        let mut kept = holdout.train;
        kept.sort_unstable();
        assert_eq!(visited, kept);
    }

    #[test]
    fn without_a_holdout_epochs_have_the_order_of_the_whole_set() {
        assert_eq!(Holdout::new(42, 100, 100).order(42, 5), crate::order(42, 5, 100));
    }
}
