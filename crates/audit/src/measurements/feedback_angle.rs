//! The angle between feedback weights and the forward weights that they replace, if a rule has both.

use nn::{Network, Unit};
use record::{Measured, Why};
use rules::{Credit, Formula, Learner, Projected};
use tensor::Float;

/// The angle in degrees between feedback and forward weights, of the embedding and of each block; `None` where the rule has
/// no such pair at any unit.
///
/// Credit that goes through other weights: all matrices of a block, as one vector, with those that the credit of the block
/// goes through. Direct feedback of the error: the last matrix with the turned weight of the head, at the last unit.
///
/// ```
/// use rules::{Learner, Modifiers, RuleSpec};
/// let net = nn::MlpSpec::resmlp(3, 8, 2, 4).build()?;
/// let rule = RuleSpec::from("kolen_pollack");
/// let learner = Learner::<f32, _>::new(net, &rule, Modifiers::default(), 1)?;
/// let angles = audit::measurements::feedback_angles(rule.formula(), &learner).unwrap();
/// assert!((angles[2].value().unwrap() - 90.0).abs() < 20.0, "drawn apart from each other");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn feedback_angles<T: Float, N: Network<T>>(
    formula: Option<Formula>,
    learner: &Learner<T, N>,
) -> Option<Vec<Measured>> {
    let Learner { net, params, rule, .. } = learner;
    let blocks = net.shape().blocks;
    let matrices = |unit: Unit| {
        net.layout().tensors().iter().filter(move |tensor| tensor.unit == unit && tensor.is_matrix())
    };
    let mut angles = vec![Measured::Undefined { why: Why::NoCounterpart }; blocks + 1];
    match (rule.credit(), formula) {
        (Credit::Through(weights), _) => {
            for (l, into) in angles.iter_mut().skip(1).enumerate() {
                let all = |of: &[T]| -> Vec<f64> {
                    let ranges = matrices(Unit::Block(l)).map(|tensor| tensor.range.clone());
                    ranges.flat_map(|range| &of[range]).map(|x| x.to_f64()).collect()
                };
                *into = angle(&all(weights), &all(params));
            }
        }
        (_, Some(Formula::Direct(Projected::Error))) => {
            let head = matrices(Unit::Head).next()?;
            let last = format!("feedback.{}", blocks.saturating_sub(1));
            let feedback = rule.saved().iter().find(|saved| saved.name == last)?;
            let turned: Vec<usize> = head.shape.iter().rev().copied().collect();
            if feedback.shape != turned {
                return None;
            }
            let weight = head.to_torch(params);
            let place = |i: usize| (i % turned[1]) * turned[0] + i / turned[1];
            let weight: Vec<f64> = (0..weight.len()).map(|i| weight[place(i)].to_f64()).collect();
            let feedback: Vec<f64> = feedback.values.iter().map(|x| x.to_f64()).collect();
            *angles.last_mut()? = angle(&feedback, &weight);
        }
        _ => return None,
    }
    Some(angles)
}

/// The angle between two vectors in degrees, with all its digits near 0 and 180 too, where a cosine has lost them (Kahan).
fn angle(a: &[f64], b: &[f64]) -> Measured {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let of_a = norm(&mut a.iter().copied());
    let of_b = norm(&mut b.iter().copied());
    if !(of_a.is_finite() && of_b.is_finite()) {
        return Measured::Undefined { why: Why::NotFinite };
    }
    if of_a == 0.0 || of_b == 0.0 {
        return Measured::Undefined { why: Why::NoCounterpart };
    }
    let units = || a.iter().zip(b).map(|(a, b)| (a / of_a, b / of_b));
    let apart = norm(&mut units().map(|(a, b)| a - b));
    let together = norm(&mut units().map(|(a, b)| a + b));
    Measured::Defined { value: (2.0 * apart.atan2(together)).to_degrees() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensor::random::{Purpose, Stream};

    fn between(a: &[f64], b: &[f64]) -> f64 {
        angle(a, b).defined().expect("two directions")
    }

    #[test]
    fn known_angles_come_back_at_any_size() {
        let a = [3.0, -4.0, 0.5, 1e-3];
        for size in [1e-30, 1.0, 1e30] {
            let scaled = a.map(|x| size * x);
            assert!(between(&scaled, &a) < 1e-6);
            assert!((between(&scaled.map(|x| -x), &a) - 180.0).abs() < 1e-6);
            assert!((between(&[4.0 * size, 3.0 * size], &[3.0, -4.0]) - 90.0).abs() < 1e-12);
            assert!((between(&[size, 0.0], &[1.0, 3.0f64.sqrt()]) - 60.0).abs() < 1e-12);
        }
        assert_eq!(between(&a, &a), 0.0);
        // A cosine of 1 − 5e-19 would be 1.
        let small: f64 = 1e-9;
        assert!((between(&[1.0, small], &[1.0, 0.0]) / small.to_degrees() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn independent_vectors_are_near_a_right_angle() {
        let n = 10_000;
        let mut stream = Stream::new(3, Purpose::Audit);
        let [a, b] = [0, 1].map(|_| (0..n).map(|_| stream.normal()).collect::<Vec<f64>>());
        // The cosine has a standard deviation of 1/√n, here .57 degrees.
        assert!((between(&a, &b) - 90.0).abs() < 3.0);
    }

    #[test]
    fn what_has_no_direction_has_no_angle() {
        let undefined = |why| Measured::Undefined { why };
        assert_eq!(angle(&[0.0, 0.0], &[1.0, 0.0]), undefined(Why::NoCounterpart));
        assert_eq!(angle(&[1.0, 0.0], &[0.0, 0.0]), undefined(Why::NoCounterpart));
        assert_eq!(angle(&[], &[]), undefined(Why::NoCounterpart));
        assert_eq!(angle(&[f64::NAN], &[1.0]), undefined(Why::NotFinite));
    }
}
