//! Studies without published numbers: one row per group of runs that differ only in their seed.

use super::lines::measured;
use super::{Asked, accuracy, end};
use protocol::{base_name, gamma_mean, grouped};
use record::audit::{Audit, GammaMean, UnitAudit};
use record::{Measured, Run};
use report::show::Table;

type AuditedRun<'a> = (&'a Run, Option<&'a Audit>);

/// Accuracy, the largest growth over a block, and means over layers of the cosine of a_l with p_l and of ρ of a_l at h_l.
pub(super) fn table(asked: &[Asked]) -> Table {
    let mut table = Table::new(&["", "accuracy (seeds)", "growth", "Γ", "ρ"], 1).wrapping();
    for (name, seeds) in grouped(asked, |a| base_name(&a.spec.id, a.spec.seed)) {
        let runs: Vec<AuditedRun<'_>> =
            seeds.into_iter().filter_map(|a| Some((a.run.as_ref()?, a.audit.as_ref()))).collect();
        let cells = if runs.is_empty() { [(); 4].map(|()| "*not run*".to_owned()) } else { cells(&runs) };
        table.row([name.to_owned()].into_iter().chain(cells).collect());
    }
    table
}

fn cells(runs: &[AuditedRun<'_>]) -> [String; 4] {
    // A linear-quadratic system has no accuracy.
    let over_seeds = |read: fn(&Run) -> Option<f64>| {
        let values = runs.iter().filter_map(|(run, _)| read(run)).filter(|value| !value.is_nan());
        let values: Vec<f64> = values.collect();
        if values.is_empty() { "–".to_owned() } else { measured(&values) }
    };
    let growth = |run: &Run| end(run).map(|epoch| epoch.evaluation.growth);
    let cosines =
        |&(run, _): &AuditedRun<'_>| end(run).map(|epoch| epoch.evaluation.cosine_at_input().to_vec());
    [
        format!("{} ({})", over_seeds(accuracy), runs.len()),
        over_seeds(growth),
        over_layers(&runs.iter().filter_map(cosines).collect::<Vec<_>>()),
        over_layers(&runs.iter().map(rho).collect::<Vec<_>>()),
    ]
}

/// The mean over the reliable layers of each run, and how many these are if not all.
fn over_layers(runs: &[Vec<Measured>]) -> String {
    let of_runs: Vec<GammaMean> = runs.iter().map(gamma_mean).collect();
    let means: Vec<f64> = of_runs.iter().filter_map(|mean| mean.defined).collect();
    let k: u64 = of_runs.iter().map(|mean| mean.units).sum();
    let all: u64 = of_runs.iter().map(|mean| mean.of).sum();
    match (k, all) {
        (_, 0) => "–".to_owned(),
        (0, _) => "unreliable".to_owned(),
        _ if k == all => measured(&means),
        _ => format!("{} ({k}/{all})", measured(&means)),
    }
}

/// ρ of the audit, which has more samples and directions, else of the last measurement during training.
fn rho(&(run, audit): &AuditedRun<'_>) -> Vec<Measured> {
    let logged = || Some(&end(run)?.audit.as_ref()?.units);
    let units = audit.map(|audit| &audit.units).or_else(logged);
    let value = |unit: &UnitAudit| Some(unit.at_input.as_ref()?.rho?.value);
    units.into_iter().flatten().filter_map(value).collect()
}
