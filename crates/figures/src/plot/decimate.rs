//! Drops points of long lines that make no visible difference.

use crate::scene::Point;

/// Columns per point of width: finer than any printer resolves.
const COLUMNS: f64 = 4.0;

/// Keeps only the first, lowest, highest and last point in each thin column, which covers the same ink. Points must be
/// ordered from left to right.
pub(super) fn decimate(points: &[Point]) -> Vec<Point> {
    let column = |p: &Point| (p.x * COLUMNS).floor() as i64;
    let mut kept = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 {
            kept.extend_from_slice(group);
            continue;
        }
        let extreme = |better: fn(f64, f64) -> bool| {
            (1..group.len()).fold(0, |best, i| if better(group[i].y, group[best].y) { i } else { best })
        };
        let mut indices = vec![0, extreme(|a, b| a < b), extreme(|a, b| a > b), group.len() - 1];
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|i| group[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::at;

    #[test]
    fn extremes_and_ends_remain() {
        let wave: Vec<Point> =
            (0..10_000).map(|i| at(f64::from(i) * 0.02, (f64::from(i) * 0.7).sin() * 30.0)).collect();
        let thin = decimate(&wave);
        assert!(thin.len() <= 4 * (200 * 4 + 1), "{}", thin.len());
        assert_eq!((thin.first(), thin.last()), (wave.first(), wave.last()));
        // Within every column the range of values is the same as before.
        let range = |points: &[Point], k: i64| {
            let ys = points.iter().filter(|p| (p.x * COLUMNS).floor() as i64 == k).map(|p| p.y);
            ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
        };
        for k in (0..800).step_by(37) {
            assert_eq!(range(&wave, k), range(&thin, k));
        }
        assert!(thin.windows(2).all(|w| w[0].x <= w[1].x));
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        let few: Vec<Point> = (0..50).map(|i| at(f64::from(i) * 4.0, f64::from(i % 7))).collect();
        assert_eq!(decimate(&few), few);
    }
}
