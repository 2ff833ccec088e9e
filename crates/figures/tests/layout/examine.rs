//! Looks for collisions in a picture.

use crate::made::{Plan, records};
use figures::Records;
use figures::catalogue::{CatalogueError, Entry, Published, Request};
use figures::plot::Style;
use figures::scene::{Affine, Item, Mark, Point, Rect, Role, Scene, at};
use figures::text::{Label, Typesetter};

/// Boxes that overlap by less than this count as touching.
const SLACK: f64 = 0.15;

/// How far a leader line may stay away from the middle of its value and from the box of its name.
const TOUCHING: (f64, f64) = (9.0, 1.5);

pub(crate) const PLAN: Plan = Plan { rules: 3, seeds: 3, epochs: 40, blocks: 4, long: false, broken: false };

/// Draws every figure in both styles at two widths each, with and without published values.
pub(crate) fn check(figures: &[Entry], known: &Published, plan: Plan) {
    check_records(figures, known, plan, records(plan));
}

/// [`check`] of these records, which were made by that plan.
pub(crate) fn check_records(figures: &[Entry], known: &Published, plan: Plan, records: Records) {
    // Of ten thousand epochs, a copy for each picture would take most of the memory and of the time.
    let mut request = Request { records, ..Request::default() };
    let mut faults = Vec::new();
    let mut drawn = 0;
    let paper: &[(Option<&Published>, f64)] =
        &[(None, 5.5), (Some(known), 7.0), (Some(known), 3.25), (None, 12.0)];
    let slides: &[(Option<&Published>, f64)] = &[(None, 10.0), (Some(known), 13.3)];
    for (style, widths) in [(Style::paper(), paper), (Style::slides(), slides)] {
        let setter = Typesetter::new(&style.family).expect("a bundled family");
        for entry in figures {
            for &(published, width) in widths {
                let series: &[&str] =
                    if published.is_some() { &[] } else { &["cosine", "of_a_newer_program", "hidden"] };
                request.series = series.iter().map(|&name| name.to_owned()).collect();
                request.published = published.cloned();
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
                faults.extend(beyond_the_page(&scene, &style).into_iter().map(here));
                drawn += 1;
            }
        }
    }
    assert!(drawn >= figures.len(), "only {drawn} pictures were drawn");
    assert!(faults.is_empty(), "{plan:?}\n{}", faults[..faults.len().min(25)].join("\n"));
}

/// What would not do in print: taller than a page, or with letters smaller than the style's smallest.
pub(crate) fn beyond_the_page(scene: &Scene, style: &Style) -> Vec<String> {
    let mut faults = Vec::new();
    if let Some(tallest) = style.tallest.filter(|tallest| scene.height > tallest + SLACK) {
        faults.push(format!("{:.2} in tall, more than {:.2} in", scene.height / 72.0, tallest / 72.0));
    }
    let mut small = Vec::new();
    texts(&scene.items, &mut |label, map| {
        let [a, b, ..] = map.0;
        let size: f64 = label.look().split("pt").next().and_then(|size| size.parse().ok()).expect("a size");
        if size * a.hypot(b) < style.note - 0.01 {
            small.push(format!("{:?} is set in {:.1} pt", label.source(), size * a.hypot(b)));
        }
    });
    faults.extend(small);
    faults
}

/// Every label with the map that takes it to the page.
fn texts(items: &[Item], found: &mut impl FnMut(&Label, &Affine)) {
    for item in items {
        match item {
            Item::Text { label, map } => found(label, map),
            Item::Clipped { items, .. } => texts(items, found),
            Item::Path { .. } | Item::Image { .. } | Item::Artwork { .. } => {}
        }
    }
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
    for guide in marks(|role| *role == Role::Guide).map(|mark| mark.area) {
        let ends = (at(guide.x, guide.y), at(guide.right(), guide.bottom()));
        let in_legend = |area: &Rect| legends.iter().any(|legend| legend.grown(SLACK).encloses(area));
        let crossed = texts.iter().filter(|(_, area)| area.grown(-SLACK).is_crossed(ends.0, ends.1));
        faults.extend(
            crossed.filter(|(_, area)| !in_legend(area)).map(|(text, _)| format!("a line crosses {text:?}")),
        );
    }
    for mark in &scene.marks {
        let Role::Leader { from, to } = mark.role else { continue };
        let is_near = |area: &Rect, p: Point, reach: f64| area.grown(reach).contains(p);
        if !values.iter().any(|value| is_near(&value.area, from, TOUCHING.0)) {
            faults.push(format!("a leader line begins at no value: {from:?}"));
        }
        if !texts.iter().any(|(_, area)| is_near(area, to, TOUCHING.1)) {
            faults.push(format!("a leader line ends at no name: {to:?}"));
        }
    }
    for legend in &legends {
        let entries: Vec<&str> = texts
            .iter()
            .filter(|(_, area)| legend.grown(SLACK).encloses(area))
            .map(|(text, _)| *text)
            .collect();
        // The only thing of its kind may be named, but not the one name that found no room elsewhere.
        let is_series = |name: &str| {
            values.iter().any(|mark| matches!(&mark.role, Role::Value { series } if series == name))
        };
        let mut series: Vec<&Role> = values.iter().map(|mark| &mark.role).collect();
        series.dedup();
        if let [only] = entries[..]
            && is_series(only)
            && series.len() > 1
        {
            faults.push(format!("{only:?} is alone in a legend"));
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
