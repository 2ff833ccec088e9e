//! A curve in a line of text.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Longer curves are thinned to this many points, so that a name and both ends fit on the line.
const WIDTH: usize = 52;

/// The values as blocks between their smallest and largest; a value that is not finite is a space.
pub fn sparkline(values: &[f64]) -> String {
    let finite = || values.iter().copied().filter(|x| x.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    let block = |x: f64| {
        if !x.is_finite() {
            return ' ';
        }
        let height = if high > low { (x - low) / (high - low) } else { 0.0 };
        BLOCKS[(height * (BLOCKS.len() - 1) as f64).round() as usize]
    };
    let shown = values.len().min(WIDTH);
    // The first and the last value are always among those shown.
    let index = |i: usize| if shown < 2 { 0 } else { i * (values.len() - 1) / (shown - 1) };
    (0..shown).map(|i| block(values[index(i)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_spans_all_heights() {
        let ramp: Vec<f64> = (0..8).map(f64::from).collect();
        assert_eq!(sparkline(&ramp), BLOCKS.iter().collect::<String>());
        assert_eq!(sparkline(&[0.5]), "▁");
        assert_eq!(sparkline(&[]), "");
        assert_eq!(sparkline(&[0.0, f64::NAN, 1.0]), "▁ █");
        assert_eq!(sparkline(&[2.0, 2.0]), "▁▁");
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let ramp: Vec<f64> = (0..1000).map(f64::from).collect();
        let line: Vec<char> = sparkline(&ramp).chars().collect();
        assert_eq!((line.len(), line[0], line[WIDTH - 1]), (WIDTH, '▁', '█'));
    }
}
