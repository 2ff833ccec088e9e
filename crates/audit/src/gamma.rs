//! Γ, the mean cosine over units, and what it hides.

use record::Measured;
use record::audit::{Gamma, GammaMean, UnitAudit, Warning};

/// Γ in both conventions. Only defined cosines count; how many those are stands beside the mean.
pub fn gamma(units: &[UnitAudit]) -> Gamma {
    let cosine = |evidence: &Option<record::audit::Evidence>| evidence.as_ref().map(|e| e.cosine);
    let here: Vec<Measured> = units.iter().filter_map(|unit| cosine(&unit.here)).collect();
    let paper: Vec<Measured> = units.iter().filter_map(|unit| cosine(&unit.paper)).collect();
    Gamma { here: mean(&here), paper: mean(&paper) }
}

fn mean(cosines: &[Measured]) -> GammaMean {
    let average =
        |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let defined: Vec<f64> = cosines.iter().filter_map(Measured::defined).collect();
    let all: Vec<f64> = cosines.iter().filter_map(Measured::value).collect();
    GammaMean {
        defined: average(&defined),
        units: defined.len() as u64,
        of: cosines.len() as u64,
        all: average(&all),
    }
}

/// A mean that looks like learning while one unit gives most of it: at least .05, and less than half of that without the
/// unit. Taken over the blocks in the paper's convention, since that is the mean that is published.
pub fn dominated(units: &[UnitAudit]) -> Option<Warning> {
    let value = |unit: &UnitAudit| unit.paper.as_ref().and_then(|evidence| evidence.cosine.value());
    let named: Vec<(&str, f64)> =
        units.iter().filter_map(|unit| Some((unit.unit.as_str(), value(unit)?))).collect();
    if named.len() < 3 {
        return None;
    }
    let sum: f64 = named.iter().map(|(_, value)| value).sum();
    let mean = sum / named.len() as f64;
    let &(unit, largest) = named.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let without = (sum - largest) / (named.len() - 1) as f64;
    let dominates = mean >= 0.05 && without < 0.5 * mean;
    dominates.then(|| Warning::OneUnitDominates { unit: unit.to_owned(), mean, without })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Why;
    use record::audit::{Evidence, Standing};

    fn unit(name: &str, cosine: Measured) -> UnitAudit {
        let evidence =
            Evidence { cosine, spread: None, torch: None, rho: None, nudges: vec![], nulls: vec![] };
        UnitAudit {
            unit: name.to_owned(),
            credit: Some(1.0),
            here: Some(evidence.clone()),
            paper: (name != "embed").then_some(evidence),
            drift: None,
            standing: Standing::Unconfirmed,
            notes: vec![],
        }
    }

    fn defined(values: &[f64]) -> Vec<UnitAudit> {
        let name = |i: usize| if i == 0 { "embed".to_owned() } else { format!("block {}", i - 1) };
        values.iter().enumerate().map(|(i, &value)| unit(&name(i), Measured::Defined { value })).collect()
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
            (found.paper.units, found.paper.of),
            (2, 2),
            "the embedding has no place in the paper's mean"
        );
        units.iter_mut().for_each(|unit| {
            unit.here.as_mut().expect("measured").cosine = Measured::Undefined { why: Why::NotFinite };
        });
        assert_eq!(gamma(&units).here, GammaMean { defined: None, units: 0, of: 3, all: None });
    }

    #[test]
    fn a_mean_that_one_unit_gives_is_told() {
        // The published cosines of dfa, and of fa, whose last block is exact by construction.
        for (values, name) in [
            ([0.42, 0.42, 0.006, -0.015, -0.004], "block 0"),
            ([0.02, 0.016, 0.072, -0.085, 0.997], "block 3"),
        ] {
            let found = dominated(&defined(&values));
            let unit = found.map(|w| match w {
                Warning::OneUnitDominates { unit, .. } => unit,
                other => panic!("{other:?}"),
            });
            assert_eq!(unit.as_deref(), Some(name));
        }
        assert_eq!(dominated(&defined(&[1.0; 5])), None);
    }
}
