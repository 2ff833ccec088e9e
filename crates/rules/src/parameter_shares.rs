//! Divides the parameters among threads: equal work for each thread, each parameter in one share only.

use std::ops::Range;
use tensor::{Float, GradientSink, Step};

/// A range of the parameters and the destination of its gradient.
pub(crate) type Piece<'a, T> = (Range<usize>, GradientSink<'a, T>);

/// Shares of about equal work: the ranges within `trained`, in order, adjacent ones merged.
pub(crate) fn share_out(
    stretches: Vec<(Range<usize>, f64)>,
    trained: &[Range<usize>],
    threads: usize,
) -> Vec<Vec<Range<usize>>> {
    let inside = |stretch: &Range<usize>| {
        let apart = |range: &Range<usize>| range.end <= stretch.start || stretch.end <= range.start;
        let within = trained.iter().any(|range| range.start <= stretch.start && stretch.end <= range.end);
        assert!(within || trained.iter().all(apart), "a range is trained as a whole or not at all");
        within
    };
    let wanted: Vec<_> = stretches.into_iter().filter(|(stretch, _)| inside(stretch)).collect();
    let total: f64 = wanted.iter().map(|(_, work)| work).sum();
    let mut shares: Vec<Vec<Range<usize>>> = vec![Vec::new(); threads.max(1)];
    let mut done = 0.0;
    for (stretch, work) in wanted {
        // A range that crosses a border goes to the share that holds its middle.
        let index = (done + work / 2.0) / total * threads as f64;
        done += work;
        let share = &mut shares[(index as usize).min(threads.max(1) - 1)];
        match share.last_mut() {
            Some(last) if last.end == stretch.start => last.end = stretch.end,
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
    /// Each share with its memory. Shares are in memory order.
    pub(crate) fn cut(self, shares: Vec<Vec<Range<usize>>>, step: Step<T>) -> Vec<Vec<Piece<'a, T>>> {
        let mut rest = self;
        let mut at = 0;
        let mut piece = |range: Range<usize>| {
            let next = |slice: &mut &'a mut [T]| {
                let (piece, after) = std::mem::take(slice)[range.start - at..].split_at_mut(range.len());
                *slice = after;
                piece
            };
            let params = next(&mut rest.params);
            let first = next(&mut rest.first);
            let second = next(&mut rest.second);
            at = range.end;
            (range, GradientSink::Descend { params, first, second, step })
        };
        shares.into_iter().map(|share| share.into_iter().map(&mut piece).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_what_is_trained_once_and_are_even() {
        let stretches: Vec<(Range<usize>, f64)> = (0..100).map(|i| (10 * i..10 * (i + 1), 10.0)).collect();
        for threads in 1..9 {
            let shares = share_out(stretches.clone(), &[0..300, 500..1000], threads);
            assert_eq!(shares.len(), threads);
            let all: Vec<usize> = shares.iter().flatten().cloned().flatten().collect();
            assert_eq!(all, (0..300).chain(500..1000).collect::<Vec<_>>());
            // 80 ranges of equal work: the same number for each share, or one more if 80 is not divisible.
            for share in shares {
                let taken = share.iter().map(Range::len).sum::<usize>() / 10;
                let even = 80 / threads..=80usize.div_ceil(threads);
                assert!(even.contains(&taken), "{taken} of 80 for one of {threads}");
            }
        }
    }
}
