//! The units of a dump, each with its evidence and standing.

use super::evidence::{Compared, KnownLoss, Shuffles, evidence};
use super::overview::{Overview, typical};
use crate::dump::Dump;
use crate::dump::layout::{Broken, credit, credit_name, gradient_name, hidden_name};
use crate::norms;
use protocol::{doubted, nudge_effect, standing};
use record::Unit;
use record::audit::{Evidence, Settings, Standing, UnitAudit};

/// All units whose credit is in the dump, from the embedding up.
pub(super) fn units(
    dump: &Dump,
    overview: &Overview,
    broken: &[Broken],
    settings: &Settings,
) -> Vec<UnitAudit> {
    let shuffles = Shuffles::new(dump.samples, settings);
    let last = overview.last_state(dump);
    let loss = last.map(|last| last.mean_loss());
    // What the dump lacks is computed in f64.
    let exact = dump.gradients.as_ref().is_none_or(|gradients| gradients.exact);
    let compare = |index: usize, l: usize| -> Option<Evidence> {
        let credit = credit(dump, index)?;
        let p = overview.reference(dump, l).filter(|p| p.width == credit.width)?;
        let loss = match last.filter(|_| index == l && l == dump.blocks) {
            Some(last) => Some(KnownLoss::Head(last)),
            None => overview.loss_changes(dump, l).map(KnownLoss::Measured),
        };
        let reference = Compared { p, size: overview.gradient[l]?, exact, loss };
        let feedback = overview.feedback(dump, index);
        let mut found = evidence(credit, &reference, feedback, &shuffles, settings);
        found.cosine = doubted(found.cosine, overview.doubted(dump, l));
        Some(found)
    };
    let unit = |index: usize| {
        let credit = credit(dump, index)?;
        let here = compare(index, index);
        let (standing, notes) = unit_standing(dump, index, here.as_ref(), broken, settings);
        Some(UnitAudit {
            unit: Unit::at(index),
            credit: Some(typical(credit)),
            at_input: index.checked_sub(1).and_then(|l| compare(index, l)),
            effect: here.as_ref().zip(loss).and_then(|(here, loss)| nudge_effect(here, loss)),
            here,
            drift: None,
            mean_credit: Vec::new(),
            standing,
            notes,
        })
    };
    (0..=dump.blocks).filter_map(unit).collect()
}

/// The standing of a unit and notes on it. A unit whose own credit, gradient or state is not finite is broken, whatever the
/// other evidence.
fn unit_standing(
    dump: &Dump,
    index: usize,
    here: Option<&Evidence>,
    broken: &[Broken],
    settings: &Settings,
) -> (Standing, Vec<String>) {
    let own = [credit_name(index), gradient_name(dump, index), hidden_name(index)];
    let named: Vec<String> = broken
        .iter()
        .filter(|broken| own.contains(&broken.name))
        .map(|broken| format!("infinite or NaN: {}", broken.words()))
        .collect();
    if !named.is_empty() {
        return (Standing::Broken, named);
    }
    if let Some(here) = here {
        return standing(here, &settings.thresholds);
    }
    let dead = credit(dump, index).is_some_and(|a| norms(&a.values, a.width).all(|norm| norm == 0.0));
    let note = format!("there is no gradient at {} to compare it with", hidden_name(index));
    if dead { (Standing::Dead, Vec::new()) } else { (Standing::CannotBeJudged, vec![note]) }
}
