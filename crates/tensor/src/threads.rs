//! Work on several threads. A thread that the system refuses, as it does where memory is short, is not missed: its share is
//! done by the thread that asked for it. Nothing computed here depends on who computes it.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

/// Works on all items at the same time, one thread each, the first on this one. Results are in the order of the items.
///
/// ```
/// let mut halves = [vec![1, 2], vec![3]];
/// let sums = tensor::side_by_side(halves.iter_mut(), |half| {
///     half.push(10);
///     half.iter().sum::<i32>()
/// });
/// assert_eq!(sums, [13, 13]);
/// assert_eq!(halves[1], [3, 10]);
/// ```
pub fn side_by_side<I: Send, R: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> R + Sync,
) -> Vec<R> {
    // An item stays in its slot until somebody works on it, so that none is lost with a thread that could not start.
    let slots: Vec<Mutex<Option<I>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let take = |slot: &Mutex<Option<I>>| slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (take, work) = (&take, &work);
    let done = move |slot| take(slot).map(work);
    let Some((own, others)) = slots.split_first() else { return Vec::new() };
    let results = scope(|scope| {
        let start = |slot| Builder::new().spawn_scoped(scope, move || done(slot)).ok();
        let started: Vec<_> = others.iter().map(start).collect();
        let own = done(own);
        let finish = |(slot, thread): (_, Option<std::thread::ScopedJoinHandle<'_, _>>)| match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => done(slot),
        };
        std::iter::once(own).chain(others.iter().zip(started).map(finish)).collect::<Vec<_>>()
    });
    results.into_iter().flatten().collect()
}
