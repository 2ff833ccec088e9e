//! A pool of workers that take one item after another.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of cores that the program may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Simultaneous runs and threads per run: as requested, or one run per core with the remaining cores divided among the runs.
pub(crate) fn shares(jobs: Option<usize>, threads: Option<usize>, runs: usize) -> (usize, usize) {
    let jobs = jobs.unwrap_or_else(cores).clamp(1, runs.max(1));
    (jobs, threads.unwrap_or(cores() / jobs).max(1))
}

/// Processes all items, at most this many at the same time, and returns the results in order. A panic ends the work on its own
/// item only; its message is the result of that item.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<Result<R, String>> {
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<Result<R, String>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    tensor::side_by_side(0..jobs.clamp(1, items.len().max(1)), |_| {
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(index) else { break };
            let result = catch_unwind(AssertUnwindSafe(|| work(index, item)));
            let result = result.map_err(|panic| words(&*panic));
            *slots[index].lock().expect("no thread panics while it holds this") = Some(result);
        }
    });
    let result = |slot: Mutex<Option<_>>| slot.into_inner().ok().flatten().expect("every item was taken");
    slots.into_iter().map(result).collect()
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn results_keep_their_order_and_a_panic_its_words() {
        for jobs in [1, 2, 7, 100] {
            let items: Vec<u32> = (0..20).collect();
            let done = side_by_side(&items, jobs, |index, item| {
                assert_ne!(*item, 13, "unlucky {item}");
                index as u32 * 10 + item
            });
            for (i, result) in done.into_iter().enumerate() {
                match result {
                    Ok(value) => assert_eq!(value, i as u32 * 11),
                    Err(words) => assert!(i == 13 && words.contains("unlucky 13"), "{i}: {words}"),
                }
            }
        }
        assert!(side_by_side(&[] as &[u8], 3, |_, _| ()).is_empty());
    }
}
