//! Divides the parameters among threads: equal work for each thread, each parameter in one share only.

use crate::Clip;
use nn::{Architecture, Unit};
use std::ops::Range;
use tensor::{Float, Step};

/// Adjacent parameters whose gradient is taken at once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) range: Range<usize>,
    /// An estimate of the cost.
    work: f64,
    /// The unit whose gradient this is, where it is clipped: one thread takes the whole of it.
    pub(crate) clipped: Option<Unit>,
}

/// The stretches of a network that lie in `trained`, in memory order.
pub(crate) fn stretches(net: &impl Architecture, trained: &[Range<usize>], clip: &Clip) -> Vec<Stretch> {
    let tensors = net.layout().tensors();
    let mut all: Vec<Stretch> = Vec::new();
    for (range, work) in net.parameter_ranges() {
        if !inside(&range, trained) {
            continue;
        }
        let tensor = tensors.iter().find(|tensor| tensor.range.end > range.start);
        let clipped = tensor.map(|tensor| tensor.unit).filter(|&unit| clip.applies(unit));
        match all.last_mut() {
            Some(last) if clipped.is_some() && last.clipped == clipped => {
                assert_eq!(last.range.end, range.start, "a unit's parameters are adjacent");
                last.range.end = range.end;
                last.work += work;
            }
            _ => all.push(Stretch { range, work, clipped }),
        }
    }
    all
}

fn inside(range: &Range<usize>, trained: &[Range<usize>]) -> bool {
    let apart = |other: &Range<usize>| other.end <= range.start || range.end <= other.start;
    let within = trained.iter().any(|other| other.start <= range.start && range.end <= other.end);
    assert!(within || trained.iter().all(apart), "a stretch is trained or it is not");
    within
}

/// Shares of about equal work, in order; neighbours that are not clipped are made one.
pub(crate) fn share_out(stretches: Vec<Stretch>, threads: usize) -> Vec<Vec<Stretch>> {
    let total: f64 = stretches.iter().map(|stretch| stretch.work).sum();
    let mut shares: Vec<Vec<Stretch>> = vec![Vec::new(); threads.max(1)];
    let mut done = 0.0;
    for stretch in stretches {
        // By the middle of a stretch, so that one which straddles a border goes where more of it lies.
        let index = (done + stretch.work / 2.0) / total * threads as f64;
        done += stretch.work;
        let share = &mut shares[(index as usize).min(threads.max(1) - 1)];
        match share.last_mut() {
            Some(last)
                if last.range.end == stretch.range.start
                    && last.clipped.is_none()
                    && stretch.clipped.is_none() =>
            {
                last.range.end = stretch.range.end;
                last.work += stretch.work;
            }
            _ => share.push(stretch),
        }
    }
    shares
}

/// The parameters and their moments, side by side.
pub(crate) struct Flat<'a, T> {
    pub(crate) params: &'a mut [T],
    pub(crate) first: &'a mut [T],
    pub(crate) second: &'a mut [T],
}

impl<'a, T: Float> Flat<'a, T> {
    /// Each share with the memory that belongs to it. Shares come in memory order.
    pub(crate) fn cut(self, shares: Vec<Vec<Stretch>>) -> Vec<Vec<(Stretch, Self)>> {
        let mut rest = self;
        let mut at = 0;
        let mut piece = |stretch: Stretch| {
            let range = stretch.range.clone();
            let next = |slice: &mut &'a mut [T]| {
                let (piece, after) = std::mem::take(slice)[range.start - at..].split_at_mut(range.len());
                *slice = after;
                piece
            };
            let params = next(&mut rest.params);
            let first = next(&mut rest.first);
            let second = next(&mut rest.second);
            at = range.end;
            (stretch, Flat { params, first, second })
        };
        shares.into_iter().map(|share| share.into_iter().map(&mut piece).collect()).collect()
    }

    /// Moves them along a gradient.
    pub(crate) fn descend(self, step: Step<T>, gradient: &[T]) {
        step.descend(self.params, self.first, self.second, gradient);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClipUnits;
    use nn::MlpSpec;

    #[test]
    fn shares_hold_what_is_trained_once_and_are_even() {
        let trained = [0..300, 500..1000];
        let all = (0..100).map(|i| 10 * i..10 * (i + 1)).filter(|range| inside(range, &trained));
        let stretches: Vec<Stretch> = all.map(|range| Stretch { range, work: 10.0, clipped: None }).collect();
        for threads in 1..9 {
            let shares = share_out(stretches.clone(), threads);
            assert_eq!(shares.len(), threads);
            let all: Vec<usize> = shares.iter().flatten().flat_map(|stretch| stretch.range.clone()).collect();
            assert_eq!(all, (0..300).chain(500..1000).collect::<Vec<_>>());
            // 80 ranges of equal work: the same number for each share, or one more if 80 is not divisible.
            for share in shares {
                let taken = share.iter().map(|stretch| stretch.range.len()).sum::<usize>() / 10;
                let even = 80 / threads..=80usize.div_ceil(threads);
                assert!(even.contains(&taken), "{taken} of 80 for one of {threads}");
            }
        }
    }

    #[test]
    fn a_clipped_unit_is_one_stretch() {
        let net = MlpSpec::resmlp(40, 33, 3, 10).build().expect("valid");
        let whole = 0..net.layout().len();
        for units in [ClipUnits::Blocks, ClipUnits::All] {
            let clip = Clip { norm: 1.0, units };
            let stretches = stretches(&net, std::slice::from_ref(&whole), &clip);
            let clipped: Vec<&Stretch> =
                stretches.iter().filter(|stretch| stretch.clipped.is_some()).collect();
            assert_eq!(clipped.len(), if units == ClipUnits::All { 5 } else { 3 });
            for stretch in clipped {
                let unit = stretch.clipped.expect("a unit");
                assert_eq!(stretch.range, net.layout().unit(unit), "{unit:?}");
            }
            let all: Vec<usize> = stretches.into_iter().flat_map(|stretch| stretch.range).collect();
            assert_eq!(all, whole.clone().collect::<Vec<_>>());
        }
    }
}
