//! Studies of which no numbers were published: a line for each group of runs that differ in their seed alone.

use super::compare::accuracy;
use super::lines::{mean, measured};
use super::state::Asked;
use crate::show;
use record::{Measured, Run};

/// A number of a run, where it has it.
type Quantity = fn(&Run) -> Option<f64>;

const QUANTITIES: [(&str, Quantity); 4] =
    [("accuracy", accuracy), ("growth", growth), ("Γ", gamma), ("ρ", rho)];

/// Accuracy, the largest growth over a block, and over all layers the mean cosine of a_l with p_l and the mean ρ of a_l at h_l.
pub(super) fn table(asked: &[Asked]) -> show::Table {
    let heading: Vec<&str> = ["", "seeds"].into_iter().chain(QUANTITIES.map(|(name, _)| name)).collect();
    let mut groups: Vec<(&str, Vec<&Run>)> = Vec::new();
    for a in asked {
        let name = a.spec.id.rsplit_once("-s").map_or(a.spec.id.as_str(), |(name, _)| name);
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, runs)) => runs.extend(&a.run),
            None => groups.push((name, a.run.iter().collect())),
        }
    }
    let mut table = show::Table::new(&heading, 1);
    for (name, runs) in groups {
        let cell = |(_, of): (&str, Quantity)| match runs.as_slice() {
            [] => "*not run*".to_owned(),
            runs => measured(&runs.iter().filter_map(|run| of(run)).collect::<Vec<f64>>()),
        };
        let seeds = runs.len().to_string();
        table.row([name.to_owned(), seeds].into_iter().chain(QUANTITIES.map(cell)).collect());
    }
    table
}

fn growth(run: &Run) -> Option<f64> {
    run.last().map(|epoch| epoch.evaluation.growth)
}

fn gamma(run: &Run) -> Option<f64> {
    let layers = run.last()?.evaluation.cosine_paper.iter();
    mean(&layers.filter_map(Measured::value).collect::<Vec<f64>>())
}

/// Of the audit, which has more samples and directions, or else of the last measurement in training.
fn rho(run: &Run) -> Option<f64> {
    let audit = record::audit::Audit::read(&run.path).ok().flatten();
    let units = audit.map(|audit| audit.units).or_else(|| Some(run.last()?.audit.as_ref()?.units.clone()))?;
    let of = |unit: &record::audit::UnitAudit| unit.paper.as_ref()?.rho?.value.value();
    mean(&units.iter().filter_map(of).collect::<Vec<f64>>())
}
