//! (b) Cosine and ρ of the deep blocks by the penalty, beside what fresh feedback and BP give.

use super::deep::{Condition, Deep, Found, NULL, as_published, tick};
use super::draw::{SPREAD, penalties};
use crate::catalogue::claims::{self, AgainstChance};
use crate::published::published;
use figures::catalogue::Convention;
use figures::catalogue::choose::Chosen;
use figures::catalogue::request::{PUBLISHED, Request, lambda};
use figures::plot::palette::{self, Dash, PAIR};
use figures::plot::{Axis, BORDER, Bar, Bars, Datum, GUIDE, Guide, Look, Marker, Panel, Spot};
use figures::reader::Variant;
use figures::scene::{Meaning, Tag};

/// Markers of cosine and ρ.
const MARKERS: [Marker; 2] = [Marker::Circle, Marker::Square];

/// Width of a range, in units of the axis.
const THIN: f64 = 0.09;

/// How far the seeds are beside their mean.
const BESIDE: f64 = 0.12;

/// The panel, and the last epoch at which dfa without a penalty still had reliable values.
pub(super) fn panel(
    request: &Request,
    chosen: &Chosen<'_>,
    penalty: f64,
    convention: Convention,
    notes: &mut Vec<String>,
) -> (Panel, Option<u64>) {
    let spread = request.spread(SPREAD);
    // The two measures and the quantities of their marks.
    let measures = [("deep cosine", convention.cosine_series()), ("deep $\\rho$", convention.rho_series())];
    let deep = Deep { convention, spread };
    let mut measured: Vec<Condition> = Vec::new();
    let early = deep.early_epoch(chosen.of(&Variant::plain("dfa")));
    measured.extend(deep.vanilla(chosen.of(&Variant::plain("dfa")), early));
    for value in penalties(chosen) {
        measured.extend(deep.at_the_end(&tick(value), chosen.of(&Variant::penalised("dfa", value))));
    }
    measured.extend(deep.null(chosen.of(&Variant::penalised("dfa", penalty))));
    measured.extend(deep.at_the_end(&request.rule("bp"), chosen.of(&Variant::plain("bp"))));
    let sentence = against_chance(penalty, &measured);
    let foreign: Vec<Condition> = if request.published.is_some() {
        published().penalty.alignment.rows.iter().map(|row| as_published(row, &request.rule("bp"))).collect()
    } else {
        Vec::new()
    };
    let names = united(&measured, &foreign);
    let mut panel = Panel::new(
        "alignment",
        Axis::categories("Penalty $\\lambda$, references", names.clone()),
        Axis::linear("Mean over deep blocks").including([-0.1, 1.0]),
    )
    .titled("Credit of deep blocks");
    if names.is_empty() {
        let why = "no audit with cosine and ρ of deep blocks among the records";
        notes.push(format!("panel (b): {why}"));
        panel.absent = Some(format!("{why}; an audit measures them"));
        return (panel, None);
    }
    panel.caption = sentence;
    panel.add(Guide::horizontal(0.0, None, GUIDE, Dash::Solid));
    // What is no penalty stands apart.
    for (i, name) in names.iter().enumerate().skip(1) {
        if [NULL, &request.rule("bp")].contains(&name.as_str()) {
            panel.add(Guide::vertical(i as f64 - 0.5, None, BORDER, Dash::Dotted));
        }
    }
    let both = !measured.is_empty() && !foreign.is_empty();
    for (conditions, published) in [(&measured, false), (&foreign, true)] {
        for (i, (what, series)) in measures.into_iter().enumerate() {
            let name = if published { format!("{what}{PUBLISHED}") } else { what.to_owned() };
            let colour = if published { palette::PUBLISHED } else { PAIR[i] };
            let look = Look { colour, marker: MARKERS[i], dash: Dash::Solid, hollow: false };
            // Measured values first, then the published ones.
            let side = i as f64 - 0.5;
            let offset = if both { 0.2 * side + if published { 0.24 } else { -0.2 } } else { 0.44 * side };
            let mut listed = true;
            for condition in conditions {
                let Some(x) = names.iter().position(|name| *name == condition.name) else { continue };
                let place = Place { x: x as f64 + offset, name: &name, series, look };
                listed = place.draw(condition, i, listed, &mut panel);
            }
        }
    }
    (panel, early)
}

/// Where a measure of a condition is drawn, and how.
struct Place<'a> {
    x: f64,
    name: &'a str,
    series: &'a str,
    look: Look,
}

impl Place<'_> {
    /// Draws measure `i` of a condition. The first marker is `listed` in the legend; returns whether none is yet.
    fn draw(&self, condition: &Condition, i: usize, listed: bool, panel: &mut Panel) -> bool {
        let meaning = condition.meaning.clone().of_series(self.series);
        match &condition.values[i] {
            Some(Found::Mean(mean, interval, seeds)) => {
                let only = if let [(seed, _)] = seeds[..] { seed } else { None };
                if seeds.len() > 1 {
                    for &(seed, value) in seeds {
                        let look = Look { colour: self.look.colour.tinted(0.45), ..self.look };
                        let meaning = meaning.clone().with_some(Tag::Seed, seed);
                        let at = Datum::new(self.x + BESIDE, value);
                        panel.add(Spot {
                            size: 0.42,
                            ..Spot::new(Spot::of_seed(self.name, seed), at, look, meaning)
                        });
                    }
                }
                let meaning = meaning.with_some(Tag::Seed, only);
                let at = Datum::new(self.x, *mean);
                let spot = Spot::new(self.name.to_owned(), at, self.look, meaning);
                let key = listed.then(|| self.name.to_owned());
                panel.add(Spot { key, error: (None, *interval), size: 0.72, ..spot });
                false
            }
            Some(Found::Range(low, high)) => {
                self.bar(Bar { y: *high, base: *low, ..Bar::default() }, meaning, panel);
                listed
            }
            // The word takes the place of a marker.
            Some(Found::Unreliable) => {
                let value = Some("unreliable".to_owned());
                self.bar(Bar { y: f64::NAN, value, ..Bar::default() }, meaning, panel);
                listed
            }
            None => listed,
        }
    }

    fn bar(&self, bar: Bar, meaning: Meaning, panel: &mut Panel) {
        panel.add(Bars {
            name: self.name.to_owned(),
            key: None,
            bars: vec![Bar { x: self.x, ..bar }],
            width: THIN,
            colour: self.look.colour,
            published: false,
            meaning,
        });
    }
}

/// How the credit under a penalty stands to what fresh feedback draws.
fn against_chance(penalty: f64, conditions: &[Condition]) -> Option<String> {
    let values = |name: &str| conditions.iter().find(|condition| condition.name == name).map(|c| &c.values);
    let (measured, chance) = (values(&tick(penalty))?, values(NULL)?);
    let place = |i: usize| -> Option<AgainstChance> {
        let Found::Range(low, high) = *chance[i].as_ref()? else { return None };
        Some(AgainstChance { value: measured[i].as_ref()?.mean(), low, high })
    };
    Some(claims::measures(&lambda(penalty), place(0)?, place(1)?))
}

/// Names of all conditions, each once: those of the first list, and each further one at its index in the second.
fn united(first: &[Condition], second: &[Condition]) -> Vec<String> {
    let mut names: Vec<String> = first.iter().map(|c| c.name.clone()).collect();
    for (i, condition) in second.iter().enumerate() {
        if !names.contains(&condition.name) {
            names.insert(i.min(names.len()), condition.name.clone());
        }
    }
    names
}
