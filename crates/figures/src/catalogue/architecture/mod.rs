//! `architecture`: the network of the runs, and the way of each rule's credit through it.

mod key;
mod network;

use super::choose::choose;
use super::plain;
use super::request::{CatalogueError, Drawing, Request, sources};
use crate::plot::{Diagram, Figure, Lane};
use crate::reader::{Records, Setting, Trial};
use record::rules::route;

/// Its name in tables and marks.
const NAME: &str = "architecture";

pub(super) fn draw(request: &Request) -> Result<Drawing, CatalogueError> {
    // Nothing reaches frozen blocks.
    let wanted = |trial: &Trial| !trial.frozen && network::network(&trial.setting, Some(trial)).is_some();
    let systems = Records { trials: request.records.systems.clone(), ..Records::default() };
    let chosen = choose(&request.records, wanted).or_else(|| choose(&systems, wanted));
    let nothing = || CatalogueError::nothing(NAME, "runs of a network that this program knows", None);
    let chosen = chosen.ok_or_else(nothing)?;
    let mut rules: Vec<&str> = chosen.trials().map(|trial| trial.rule.as_str()).collect();
    // Groups are in the order of legends.
    rules.dedup();
    let trials: Vec<&Trial> = chosen.trials().collect();
    let diagram = diagram(request, &chosen.setting, &trials, &rules).ok_or_else(nothing)?;
    let mut figure = Figure::of_diagram(Diagram { explained: true, ..diagram });
    figure.title = Some(plain::title(&chosen));
    Ok(Drawing { figure, sources: sources(chosen.trials()), notes: chosen.notes })
}

/// The network of a setting with a lane per rule, if the network is known. Recipes of the trials say what a setting does not.
pub(super) fn diagram(
    request: &Request,
    setting: &Setting,
    trials: &[&Trial],
    rules: &[&str],
) -> Option<Diagram> {
    let network = network::network(setting, trials.first().copied())?;
    let reads_gradient = |rule: &str| {
        let of_rule = trials.iter().find(|trial| trial.rule == rule);
        let keys = of_rule.and_then(|trial| trial.keys.as_ref());
        let condition = keys.and_then(|keys| keys.recipe().get("rule.condition")?.as_str());
        condition == Some("gradient")
    };
    let lane = |rule: &&str| Lane {
        name: request.rule(rule),
        rule: (*rule).to_owned(),
        look: request.look(rule),
        route: route(rule),
        reads_gradient: reads_gradient(rule),
    };
    let lanes: Vec<Lane> = rules.iter().map(lane).collect();
    let key = key::key(&lanes, &network);
    Some(Diagram { name: NAME.to_owned(), letter: None, title: None, network, lanes, explained: false, key })
}
