//! The study of the penalty: accuracies, cosines by block, and the credit of the deep blocks.

use super::deviation::HOLDS;
use super::lines::{Kind, Known, Line, mean, words};
use super::{Asked, accuracy, cosines, frozen, line, runs_of};
use crate::published::{AlignmentKind, AlignmentRow, Value, published};
use record::Measured;
use record::audit::{Audit, NullKind, Quantity, UnitAudit};

pub(super) fn lines(asked: &[Asked]) -> Vec<Line> {
    let capacity = &published().penalty.capacity;
    let with_penalty = |lambda: f64| move |a: &Asked| a.spec.modifiers.penalty == lambda && !frozen(a);
    let mut lines = Vec::new();
    for row in &capacity.rows {
        for (lambda, value) in [(0.0, row.without), (capacity.penalty, row.with)] {
            let ours = runs_of(asked, &row.rule, with_penalty(lambda)).map(accuracy);
            let what = format!("accuracy, {}, λ={lambda}", row.rule);
            lines.push(line((Kind::Accuracy, &row.rule), what, ours, Known::Value(value)));
        }
    }
    for lambda in [1e-4, 1e-3] {
        let ours = runs_of(asked, "dfa", with_penalty(lambda)).map(accuracy);
        let what = format!("accuracy, dfa, λ={lambda}");
        lines.push(line((Kind::Accuracy, "dfa"), what, ours, Known::Nothing));
    }
    lines.extend(cosines("penalty", asked));
    lines.extend(published().penalty.alignment.rows.iter().flat_map(|row| deep(asked, row)));
    lines
}

/// Cosine and ρ over the blocks above the first. None of the early phase: the paper does not state its epoch.
fn deep(asked: &[Asked], row: &AlignmentRow) -> Vec<Line> {
    let chosen =
        |a: &&Asked| a.spec.rule.name == row.rule && a.spec.modifiers.penalty == row.penalty && !frozen(a);
    let runs: Vec<&Asked> = asked.iter().filter(chosen).filter(|a| a.run.is_some()).collect();
    let over_seeds = |kind: Kind, what: &str, read: &dyn Fn(&UnitAudit) -> Option<Measured>, known: Value| {
        let ours = runs.iter().map(|a| over_blocks(a.audit.as_ref()?, read));
        let what = format!("{what}, {}, λ={}", row.rule, row.penalty);
        line((kind, &row.rule), what, ours, Known::Value(known))
    };
    match row.kind {
        AlignmentKind::Early => Vec::new(),
        AlignmentKind::End => vec![
            over_seeds(Kind::Cosine, "cosine, l ≥ 1", &|u| Some(u.at_input.as_ref()?.cosine), row.cosine),
            over_seeds(Kind::Rho, "ρ, l ≥ 1", &|u| Some(u.at_input.as_ref()?.rho?.value), row.rho),
        ],
        // Where it acts, bp's credit is the gradient itself.
        AlignmentKind::Gradient => {
            let read = |u: &UnitAudit| Some(u.here.as_ref()?.rho?.value);
            vec![over_seeds(Kind::Rho, "ρ of p, l ≥ 1", &read, row.rho)]
        }
        AlignmentKind::FreshFeedback => vec![fresh(&runs, row)],
    }
}

/// The mean over the blocks above the first; `None` if one of them is unreliable.
fn over_blocks(audit: &Audit, read: &dyn Fn(&UnitAudit) -> Option<Measured>) -> Option<f64> {
    let values: Option<Vec<f64>> = audit.units.iter().skip(2).map(|unit| read(unit)?.defined()).collect();
    mean(&values?)
}

/// Cosines of credit from fresh feedback: smallest and largest draw, averaged over blocks and seeds.
fn fresh(runs: &[&Asked], row: &AlignmentRow) -> Line {
    let units = runs.iter().filter_map(|a| a.audit.as_ref()).flat_map(|audit| audit.units.iter().skip(2));
    let nulls = units.filter_map(|unit| unit.at_input.as_ref()).flat_map(|evidence| &evidence.nulls);
    let (low, high): (Vec<f64>, Vec<f64>) = nulls
        .filter(|null| null.kind == NullKind::FreshFeedback && null.of == Quantity::Cosine)
        .map(|null| (null.low, null.high))
        .unzip();
    let said = match (mean(&low), mean(&high)) {
        (Some(low), Some(high)) => format!("{low:.3} to {high:.3}"),
        _ if runs.is_empty() => "*not run*".to_owned(),
        _ => "*not audited*".to_owned(),
    };
    // The range of draws is what holds.
    let deviation = |(low, high): (f64, f64)| HOLDS * (low + high - 2.0 * row.cosine.mean) / (high - low);
    let deviation = mean(&low).zip(mean(&high)).map(deviation);
    let what = format!("cosine, l ≥ 1, fresh feedback, {}, λ={}", row.rule, row.penalty);
    Line::said((Kind::Cosine, &row.rule), what, runs.len(), said, words(&row.cosine), deviation)
}
