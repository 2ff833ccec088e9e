//! What the units of an audit show that a reader should know before quoting it.

use crate::dominated;
use record::Why;
use record::audit::{Standing, UnitAudit, Warning};

/// Steps longer than `asked`, units without a reliable reference, a mean that one unit gives, evidence that disagrees.
pub fn unit_warnings(units: &[UnitAudit], asked: f64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let evidence = units.iter().flat_map(|unit| [&unit.here, &unit.paper]).flatten();
    let enlarged = evidence.filter_map(|e| e.rho).filter(|rho| rho.enlarged).map(|rho| rho.step);
    if let Some(step) = enlarged.reduce(f64::max) {
        warnings.push(Warning::StepEnlarged { step, asked });
    }
    let unreliable = |unit: &&UnitAudit| {
        let why = unit.here.as_ref().and_then(|evidence| evidence.cosine.why());
        matches!(why, Some(Why::ReferenceBelowFloor | Why::PrecisionsDisagree))
    };
    let count = units.iter().filter(unreliable).count() as u64;
    if count > 0 {
        warnings.push(Warning::ReferenceUnreliable { units: count, of: units.len() as u64 });
    }
    warnings.extend(dominated(units));
    let mixed = units.iter().filter(|unit| unit.standing == Standing::Mixed);
    let mixed: Vec<String> = mixed.map(|unit| unit.unit.clone()).collect();
    if !mixed.is_empty() {
        warnings.push(Warning::EvidenceDisagrees { units: mixed });
    }
    warnings
}
