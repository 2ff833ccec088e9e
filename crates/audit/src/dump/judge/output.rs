//! What follows from logits and labels: the error at the output, and the accuracy.

use super::downstream::softmax;
use crate::dump::DumpRows;

/// e_T = softmax(z) − onehot(y) of each sample.
pub(super) fn errors(logits: &DumpRows, labels: &[usize]) -> DumpRows {
    let mut errors = logits.clone();
    for (row, &label) in errors.values.chunks_exact_mut(logits.width).zip(labels) {
        softmax(row);
        // The label's share minus 1, as minus the sum of the others: no digits are lost when the share is near 1.
        row[label] = 0.0;
        row[label] = -row.iter().sum::<f64>();
    }
    errors
}

/// The share of samples whose largest logit (the first of equals) is that of their label; none if a logit is NaN.
pub(super) fn accuracy(logits: &DumpRows, labels: &[usize]) -> Option<f64> {
    if logits.values.iter().any(|z| z.is_nan()) {
        return None;
    }
    let best =
        |row: &[f64]| (1..row.len()).fold(0, |best, class| if row[class] > row[best] { class } else { best });
    let right = logits.iter().zip(labels).filter(|&(row, &label)| best(row) == label);
    Some(right.count() as f64 / labels.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_accuracy_by_hand() {
        // Probabilities 1/8, 2/8, 5/8 and three equal ones.
        let logits = DumpRows { values: vec![0.0, 2f64.ln(), 5f64.ln(), 700.0, 700.0, 700.0], width: 3 };
        let found = errors(&logits, &[2, 0]);
        for (found, expected) in
            found.values.iter().zip([0.125, 0.25, -0.375, -2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0])
        {
            assert!((found - expected).abs() < 1e-15, "{found} for {expected}");
        }
        assert_eq!(accuracy(&logits, &[2, 0]), Some(1.0));
        assert_eq!(accuracy(&logits, &[1, 0]), Some(0.5));
        let broken = DumpRows { values: vec![f64::NAN, 1.0], width: 2 };
        assert_eq!(accuracy(&broken, &[1]), None);
        assert!(errors(&broken, &[1]).values.iter().all(|e| e.is_nan()));
    }
}
