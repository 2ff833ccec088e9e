//! Scatter plots: two numbers of the end of training against one another.

use super::plot::Plot;
use super::spec::{Aggregate, Along};
use crate::catalogue::plain;
use crate::plot::{Element, Spot, Spread};
use crate::reader::Trial;
use crate::scene::Tag;
use record::Measured;

pub(super) fn draw(plot: &Plot<'_>) -> Vec<Element> {
    let Along::Quantity(along) = &plot.spec.x else { return Vec::new() };
    let mut found = Vec::new();
    for part in plot.groups() {
        let meaning = plot.meaning(&part.cohort);
        let value = |quantity: &super::quantity::Quantity, trial: &Trial| -> Option<Measured> {
            quantity.at_end(trial).first().copied().flatten()
        };
        let spot = |trials: &[&Trial]| {
            let read = |quantity| trials.iter().map(|trial| value(quantity, trial)).collect::<Vec<_>>();
            let (across, up) = (read(along), read(&plot.spec.y));
            let (x, y) = (plot.datum(0.0, &across), plot.datum(0.0, &up));
            let datum = crate::plot::Datum { x: x.y, firm: x.firm && y.firm, ..y };
            let interval = |values: &[Option<Measured>]| {
                let numbers: Vec<f64> = values.iter().flatten().filter_map(Measured::value).collect();
                let interval = plot.spread.about(&numbers, false)?.1;
                interval.filter(|_| plot.spec.aggregate == Aggregate::Mean)
            };
            (datum, (interval(&across), interval(&up)))
        };
        if plot.spec.aggregate == Aggregate::Seeds {
            for trial in &part.cohort {
                let meaning = meaning.clone().with_some(Tag::Seed, trial.seed);
                let name = Spot::of_seed(&part.name, trial.seed);
                let spot = Spot::new(name, spot(&[*trial]).0, part.look, meaning);
                found.push(Spot { key: Some(part.name.clone()), ..spot }.into());
            }
            continue;
        }
        let (at, error) = spot(&part.cohort);
        if plot.spec.aggregate == Aggregate::Mean && plot.spread == Spread::Seeds && part.cohort.len() > 1 {
            let seed = |trial: &&Trial| {
                plain::small(&part.name, trial.seed, spot(&[*trial]).0, part.look, &meaning).into()
            };
            found.extend(part.cohort.iter().map(seed));
        }
        let label = Some(part.name.clone());
        found.push(Spot { label, error, ..Spot::new(part.name.clone(), at, part.look, meaning) }.into());
    }
    found.into_iter().filter(has_place).collect()
}

fn has_place(element: &Element) -> bool {
    !matches!(element, Element::Spot(spot) if spot.at.x.is_nan() || spot.at.y.is_nan())
}
