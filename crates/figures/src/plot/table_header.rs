//! What a script needs beside the rows of a figure's table: how panels, axes and colours are.

use super::axis::{Axis, AxisKind, Says};
use super::element::Element;
use super::figure::{Figure, Panel};
use crate::scene::Colour;
use serde_json::{Map, Value, json};

/// A line for the figure and one for each panel, as JSON after its kind.
pub(super) fn lines(figure: &Figure) -> Vec<String> {
    let columns = figure.columns.min(figure.panels.len()).max(1);
    let whole =
        json!({ "title": figure.title, "columns": columns, "aspect": figure.aspect, "foot": figure.foot });
    let shown = figure.panels.iter().filter(|panel| !panel.is_blank());
    let panels = shown.map(|panel| format!("panel {}", self::panel(panel)));
    std::iter::once(format!("figure {whole}")).chain(panels).collect()
}

fn panel(panel: &Panel) -> Value {
    let mut colours = Map::new();
    let mut ramp = Value::Null;
    for element in &panel.elements {
        let (name, colour) = match element {
            Element::Line(line) => (&line.name, line.look.colour),
            Element::Band(band) => (&band.name, band.colour),
            Element::Bars(bars) => (&bars.name, bars.colour),
            Element::Spot(spot) => (&spot.name, spot.look.colour),
            Element::Strip(strip) => {
                let colours: Vec<String> = strip.shade.ramp.iter().map(Colour::css).collect();
                let ends = strip.shade.ends();
                ramp = json!({ "colours": colours, "low": ends.0, "high": ends.1, "axis": axis(&strip.shade.axis) });
                continue;
            }
            _ => continue,
        };
        colours.insert(name.clone(), colour.css().into());
    }
    let mut facts = json!({
        "name": panel.name, "title": panel.heading(), "x": axis(&panel.x), "y": axis(&panel.y), "colours": colours,
    });
    for (key, value) in [("right", panel.right.as_ref().map_or(Value::Null, axis)), ("ramp", ramp)] {
        if !value.is_null() {
            facts[key] = value;
        }
    }
    facts
}

fn axis(axis: &Axis) -> Value {
    let mut facts = Map::new();
    facts.insert("label".to_owned(), json!(axis.label));
    facts.insert("unit".to_owned(), json!(if axis.says == Says::Epoch { "epochs" } else { "1" }));
    let (scale, detail) = match &axis.kind {
        AxisKind::Linear => ("linear", None),
        AxisKind::Log => ("log", None),
        AxisKind::Signed(least) => ("signed", Some(("least", json!(least)))),
        AxisKind::Categories(names) => {
            let names: Vec<String> = names.iter().map(|name| name.replace('\n', " ")).collect();
            ("names", Some(("names", json!(names))))
        }
    };
    facts.insert("scale".to_owned(), scale.into());
    facts.extend(detail.map(|(key, value)| (key.to_owned(), value)));
    Value::Object(facts)
}
