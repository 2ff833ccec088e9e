//! Looks for collisions in a picture.

use crate::made::{Plan, records};
use figures::Records;
use figures::catalogue::{CatalogueError, Entry, Published, Request};
use figures::plot::Style;
use figures::scene::{Mark, Rect, Role, Scene, at};
use figures::text::Typesetter;

/// Boxes that overlap by less than this count as touching.
const SLACK: f64 = 0.15;

pub(crate) const PLAN: Plan = Plan { rules: 3, seeds: 3, epochs: 40, blocks: 4, long: false, broken: false };

/// Draws every figure in both styles at two widths each, with and without published values.
pub(crate) fn check(figures: &[Entry], known: &Published, plan: Plan) {
    check_records(figures, known, plan, records(plan));
}

/// [`check`] of these records, which were made by that plan.
pub(crate) fn check_records(figures: &[Entry], known: &Published, plan: Plan, records: Records) {
    let request = Request { records, ..Request::default() };
    let mut faults = Vec::new();
    let mut drawn = 0;
    for (style, widths) in [(Style::paper(), [5.5, 7.0]), (Style::slides(), [10.0, 13.3])] {
        let setter = Typesetter::new(&style.family).expect("a bundled family");
        for entry in figures {
            for (published, width) in [(None, widths[0]), (Some(known), widths[1])] {
                let series: &[&str] =
                    if published.is_some() { &[] } else { &["cosine", "of_a_newer_program", "hidden"] };
                let series = series.iter().map(|&name| name.to_owned()).collect();
                let request = Request { published: published.cloned(), series, ..request.clone() };
                let drawing = match (entry.draw)(&request) {
                    Ok(drawing) => drawing,
                    Err(CatalogueError::Nothing { .. }) => continue,
                    Err(e) => panic!("{}: {e}", entry.name),
                };
                let style = Style { width: 72.0 * width, ..style.clone() };
                let scene =
                    drawing.figure.draw(&style, &setter).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
                let here = |fault| format!("{} at {width} in: {fault}", entry.name);
                faults.extend(examine(&scene, !plan.broken).into_iter().map(here));
                drawn += 1;
            }
        }
    }
    assert!(drawn >= figures.len(), "only {drawn} pictures were drawn");
    assert!(faults.is_empty(), "{plan:?}\n{}", faults[..faults.len().min(25)].join("\n"));
}

/// Everything that is wrong with a picture. If lines are `whole`, each value is connected to the next of its series.
pub(crate) fn examine(scene: &Scene, whole: bool) -> Vec<String> {
    let page = Rect::new(0.0, 0.0, scene.width, scene.height).grown(SLACK);
    let mut faults = Vec::new();
    let texts: Vec<(&str, Rect)> = scene
        .marks
        .iter()
        .filter_map(|mark| match &mark.role {
            Role::Text(source) => Some((source.as_str(), mark.area)),
            _ => None,
        })
        .collect();
    for (i, (a, here)) in texts.iter().enumerate() {
        if !page.encloses(here) {
            faults.push(format!("{a:?} leaves the page"));
        }
        for (b, there) in &texts[i + 1..] {
            if collide(here, there) {
                faults.push(format!("{a:?} overlaps {b:?}"));
            }
        }
    }
    let marks = |wanted: fn(&Role) -> bool| scene.marks.iter().filter(move |mark| wanted(&mark.role));
    let legends: Vec<Rect> = marks(|role| *role == Role::Legend).map(|mark| mark.area).collect();
    let panels: Vec<Rect> = marks(|role| matches!(role, Role::Panel(_))).map(|mark| mark.area).collect();
    let values: Vec<&Mark> = marks(|role| matches!(role, Role::Value { .. })).collect();
    for legend in &legends {
        if !page.encloses(legend) {
            faults.push("a legend leaves the page".to_owned());
        }
        for (text, area) in &texts {
            if collide(legend, area) && !legend.grown(SLACK).encloses(area) {
                faults.push(format!("a legend overlaps {text:?}"));
            }
        }
        let bars = marks(|role| matches!(role, Role::Bar { .. }));
        for mark in bars.filter(|mark| collide(legend, &mark.area)) {
            faults.push(format!("a legend covers a bar: {:?}", mark.role));
        }
    }
    for mark in &values {
        let p = at(mark.area.x, mark.area.y);
        if !page.contains(p) {
            faults.push(format!("{:?} is off the page", mark.role));
        }
        if legends.iter().any(|legend| legend.contains(p)) {
            faults.push(format!("a legend covers {:?}", mark.role));
        }
        let inside = |area: &Rect| panels.iter().any(|panel| panel.encloses(area));
        if let Some((text, _)) = texts.iter().find(|(_, area)| inside(area) && area.grown(-SLACK).contains(p))
        {
            faults.push(format!("{text:?} covers {:?}", mark.role));
        }
    }
    // Lines between neighbouring values of a series.
    for pair in values.windows(2).filter(|pair| whole && pair[0].role == pair[1].role) {
        let ends = (at(pair[0].area.x, pair[0].area.y), at(pair[1].area.x, pair[1].area.y));
        let one_panel = panels.iter().any(|p| p.grown(1.0).contains(ends.0) && p.grown(1.0).contains(ends.1));
        if one_panel && ends.0.x <= ends.1.x && legends.iter().any(|legend| legend.is_crossed(ends.0, ends.1))
        {
            faults.push(format!("a legend covers the line of {:?}", pair[0].role));
        }
    }
    faults.dedup();
    faults
}

fn collide(a: &Rect, b: &Rect) -> bool {
    let a = a.grown(-SLACK / 2.0);
    let b = b.grown(-SLACK / 2.0);
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}
