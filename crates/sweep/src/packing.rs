//! Packs runs into shards: an element of a job array costs a scheduler about as much as minutes of work are worth.

use std::time::Duration;

/// How runs are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Packing {
    /// Number of shards; by default as many as have enough work.
    pub shards: Option<usize>,
    /// Work per shard; at least ten minutes by default.
    pub per_shard: Option<Duration>,
    /// Cores per shard, which trains as many runs at a time.
    pub cores: usize,
}

/// Work that is worth a shard.
const WORTH: Duration = Duration::from_secs(600);

/// The shards, as positions of runs. Every shard has a run, loads differ as little as a greedy choice allows, and within a shard
/// runs keep their order.
///
/// Unless a number of shards is asked for, there are at least two runs in a shard (if there are two runs).
///
/// ```
/// use std::time::Duration;
/// let minutes = [9, 1, 1, 1, 9, 1].map(|m| Duration::from_secs(60 * m));
/// let packing = sweep::Packing { per_shard: Some(Duration::from_secs(600)), ..Default::default() };
/// assert_eq!(sweep::pack(&minutes, &packing), [vec![0, 1, 3], vec![2, 4, 5]]);
/// ```
pub fn pack(times: &[Duration], packing: &Packing) -> Vec<Vec<usize>> {
    let shards = packing.shards.unwrap_or_else(|| by_work(times, packing)).clamp(1, times.len().max(1));
    let mut longest_first: Vec<usize> = (0..times.len()).collect();
    longest_first.sort_by_key(|&run| std::cmp::Reverse(times[run]));
    let mut packed = vec![(Duration::ZERO, Vec::new()); shards];
    for run in longest_first {
        let (load, runs) =
            packed.iter_mut().min_by_key(|(load, runs)| (*load, runs.len())).expect("at least one shard");
        *load = load.saturating_add(times[run]);
        runs.push(run);
    }
    let sorted = |(_, mut runs): (Duration, Vec<usize>)| {
        runs.sort_unstable();
        runs
    };
    packed.into_iter().map(sorted).filter(|runs| !runs.is_empty()).collect()
}

fn by_work(times: &[Duration], packing: &Packing) -> usize {
    let work: Duration = times.iter().fold(Duration::ZERO, |sum, time| sum.saturating_add(*time));
    let per_shard = packing.per_shard.unwrap_or(WORTH).max(Duration::from_secs(1));
    let shards = work.as_secs_f64() / packing.cores.max(1) as f64 / per_shard.as_secs_f64();
    (shards as usize).min(times.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(times: &[Duration], packing: &Packing) -> Vec<Vec<usize>> {
        let packed = pack(times, packing);
        let mut runs: Vec<usize> = packed.iter().flatten().copied().collect();
        runs.sort_unstable();
        assert_eq!(runs, (0..times.len()).collect::<Vec<_>>(), "each run once");
        assert!(packed.iter().all(|shard| !shard.is_empty() && shard.is_sorted()));
        packed
    }

    #[test]
    fn short_runs_share_a_shard_and_long_ones_never_have_one_each_unless_asked() {
        let short = vec![Duration::from_secs(5); 60];
        assert_eq!(all(&short, &Packing::default()).len(), 1, "five minutes of work");
        let long = vec![Duration::from_secs(36_000); 60];
        assert_eq!(all(&long, &Packing::default()).len(), 30);
        assert_eq!(all(&long, &Packing { shards: Some(60), ..Packing::default() }).len(), 60);
        assert_eq!(all(&long, &Packing { shards: Some(1000), ..Packing::default() }).len(), 60);
        let minute = vec![Duration::from_secs(60); 60];
        assert_eq!(all(&minute, &Packing::default()).len(), 6);
        assert_eq!(all(&minute, &Packing { cores: 3, ..Packing::default() }).len(), 2);
        let half_hour = Packing { per_shard: Some(Duration::from_secs(1800)), ..Packing::default() };
        assert_eq!(all(&minute, &half_hour).len(), 2);
        assert_eq!(all(&minute[..1], &Packing::default()).len(), 1);
    }

    #[test]
    fn no_shard_has_more_than_its_share_and_one_run() {
        let times: Vec<Duration> = (1..=97).map(|i| Duration::from_secs(i * i % 91 + 1)).collect();
        let packed = all(&times, &Packing { shards: Some(7), ..Packing::default() });
        let load = |shard: &Vec<usize>| shard.iter().map(|&run| times[run].as_secs()).sum::<u64>();
        let longest = times.iter().max().expect("runs").as_secs();
        let mean = times.iter().map(Duration::as_secs).sum::<u64>() / 7;
        assert!(packed.iter().all(|shard| load(shard) <= mean + longest), "{packed:?}");
    }
}
