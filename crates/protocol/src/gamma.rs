//! Γ, the mean cosine over units, and what it hides.

use crate::statistics;
use record::audit::{Gamma, GammaMean, UnitAudit, Warning};
use record::{Measured, Unit};

/// Γ in both conventions.
pub fn gamma(units: &[UnitAudit]) -> Gamma {
    let here = units.iter().filter_map(|unit| unit.here.as_ref());
    let at_input = units.iter().filter_map(|unit| unit.at_input.as_ref());
    Gamma {
        here: gamma_mean(here.map(|evidence| &evidence.cosine)),
        at_input: gamma_mean(at_input.map(|evidence| &evidence.cosine)),
    }
}

/// The mean of the cosines that are defined, with how many those are, and the mean of all that have a number.
pub fn gamma_mean<'a>(cosines: impl IntoIterator<Item = &'a Measured>) -> GammaMean {
    let cosines: Vec<&Measured> = cosines.into_iter().collect();
    let defined: Vec<f64> = cosines.iter().filter_map(|cosine| cosine.defined()).collect();
    let mean = |values: &mut dyn Iterator<Item = f64>| statistics(values).map(|found| found.mean);
    GammaMean {
        defined: mean(&mut defined.iter().copied()),
        units: defined.len() as u64,
        of: cosines.len() as u64,
        all: mean(&mut cosines.iter().filter_map(|cosine| cosine.value())),
    }
}

/// A mean that looks like learning while one unit gives most of it: at least .05, and less than half of that without the
/// unit. Taken over the blocks at their inputs, since that is the mean that is published.
pub(crate) fn dominated(units: &[UnitAudit]) -> Option<Warning> {
    let value = |unit: &UnitAudit| unit.at_input.as_ref().and_then(|evidence| evidence.cosine.value());
    let named: Vec<(Unit, f64)> = units.iter().filter_map(|unit| Some((unit.unit, value(unit)?))).collect();
    if named.len() < 3 {
        return None;
    }
    let sum: f64 = named.iter().map(|(_, value)| value).sum();
    let mean = sum / named.len() as f64;
    let &(unit, largest) = named.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let without = (sum - largest) / (named.len() - 1) as f64;
    let dominates = mean >= 0.05 && without < 0.5 * mean;
    dominates.then_some(Warning::OneUnitDominates { unit, mean, without })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Why;
    use record::audit::{Evidence, Standing};

    fn unit(unit: Unit, cosine: Measured) -> UnitAudit {
        let evidence = Evidence {
            cosine,
            estimate: None,
            spread: None,
            torch: None,
            rho: None,
            nudges: vec![],
            nulls: vec![],
        };
        UnitAudit {
            unit,
            credit: Some(1.0),
            here: Some(evidence.clone()),
            at_input: (unit != Unit::Embed).then_some(evidence),
            drift: None,
            mean_credit: vec![],
            effect: None,
            standing: Standing::Unconfirmed,
            notes: vec![],
        }
    }

    fn defined(values: &[f64]) -> Vec<UnitAudit> {
        let defined = |(state, &value): (usize, &f64)| unit(Unit::at(state), Measured::Defined { value });
        values.iter().enumerate().map(defined).collect()
    }

    #[test]
    fn only_defined_cosines_count_and_it_says_how_many() {
        let mut units = defined(&[0.4, 0.6, 0.0]);
        units[2].here.as_mut().expect("measured").cosine =
            Measured::Unreliable { value: 0.2, why: Why::ReferenceBelowFloor };
        let found = gamma(&units);
        assert_eq!((found.here.units, found.here.of), (2, 3));
        assert!((found.here.defined.expect("two") - 0.5).abs() < 1e-12);
        assert!((found.here.all.expect("three") - 0.4).abs() < 1e-12);
        assert_eq!(
            (found.at_input.units, found.at_input.of),
            (2, 2),
            "the embedding has no input to compare at"
        );
        units.iter_mut().for_each(|unit| {
            unit.here.as_mut().expect("measured").cosine = Measured::Undefined { why: Why::NotFinite };
        });
        assert_eq!(gamma(&units).here, GammaMean { defined: None, units: 0, of: 3, all: None });
    }

    #[test]
    fn a_mean_that_one_unit_gives_is_told() {
        // The published cosines of dfa, and of fa, whose last block is exact by construction.
        for (values, expected) in [
            ([0.42, 0.42, 0.006, -0.015, -0.004], Unit::Block(0)),
            ([0.02, 0.016, 0.072, -0.085, 0.997], Unit::Block(3)),
        ] {
            let found = dominated(&defined(&values));
            let unit = found.map(|w| match w {
                Warning::OneUnitDominates { unit, .. } => unit,
                other => panic!("{other:?}"),
            });
            assert_eq!(unit, Some(expected));
        }
        assert_eq!(dominated(&defined(&[1.0; 5])), None);
    }
}
