//! Cosines, ρ and nudges as the paper's files hold them: a_l at h_l by layer, all layers or none.

use record::audit::{Evidence, UnitAudit};
use record::{Error, Measured, Run};
use std::collections::BTreeMap;

/// The units of the run's audit, else of the small audit after its last epoch, else none.
pub(super) fn audited(run: &Run) -> Result<Vec<UnitAudit>, Error> {
    let last = run.last();
    let whole = run.audit()?.filter(|audit| audit.epoch == last.map(|e| e.epoch));
    let small = || last.and_then(|epoch| epoch.audit.as_ref()).map(|audit| audit.units.clone());
    let units = whole.map(|audit| audit.units).filter(|units| units.iter().any(has_rho)).or_else(small);
    Ok(units.unwrap_or_default())
}

fn has_rho(unit: &UnitAudit) -> bool {
    unit.at_input.as_ref().is_some_and(|evidence| evidence.rho.is_some())
}

/// The cosine at every layer, after the last epoch.
pub(super) fn bp_cosine(run: &Run) -> Result<Vec<f64>, String> {
    let last = run.last().ok_or("it has no epoch")?;
    last.evaluation.cosine_at_input().iter().enumerate().map(|(l, cosine)| number(l, *cosine)).collect()
}

/// ρ at every layer.
pub(super) fn perturbation_rho(units: &[UnitAudit]) -> Result<Vec<f64>, String> {
    by_layer(units, |evidence| evidence.rho.map(|rho| rho.value))
}

/// Nudges at every layer, by their length as text.
pub(super) fn nudging(units: &[UnitAudit]) -> Result<BTreeMap<String, Vec<f64>>, String> {
    let first = units.iter().find_map(|unit| unit.at_input.as_ref());
    let etas: Vec<f64> =
        first.map(|evidence| evidence.nudges.iter().map(|n| n.eta).collect()).unwrap_or_default();
    if etas.is_empty() {
        return Err(UNMEASURED.to_owned());
    }
    let by_eta = |&eta: &f64| {
        let change = |evidence: &Evidence| evidence.nudges.iter().find(|n| n.eta == eta).map(|n| n.change);
        Ok((eta.to_string(), by_layer(units, change)?))
    };
    etas.iter().map(by_eta).collect()
}

const UNMEASURED: &str = "it was not measured after its last epoch; an audit measures it";

fn by_layer(units: &[UnitAudit], read: impl Fn(&Evidence) -> Option<Measured>) -> Result<Vec<f64>, String> {
    let blocks = || units.iter().filter_map(|unit| unit.at_input.as_ref());
    if blocks().next().is_none() {
        return Err(UNMEASURED.to_owned());
    }
    blocks().enumerate().map(|(l, evidence)| number(l, read(evidence).ok_or(UNMEASURED)?)).collect()
}

/// The number at layer l. The paper's format cannot express a missing number, so a list is written whole or not at all.
fn number(l: usize, measured: Measured) -> Result<f64, String> {
    match measured {
        Measured::Undefined { why } => Err(format!("undefined at layer {l}: {}", why.words())),
        other => other.value().filter(|x| x.is_finite()).ok_or(format!("not finite at layer {l}")),
    }
}
