//! The options that act on a composed figure: one panel alone, panels in a row, how axes are divided and where they end.

use super::{Direction, Division, Options, Refusal};
use crate::plot::{Axis, AxisKind, Element, Figure, LegendPlace, Panel};
use record::nearest;

/// On a symmetric logarithmic axis, values this much smaller than the largest are drawn as zero.
const DEEPEST: f64 = 1e-8;

impl Options {
    /// Whether any of them acts on a composed figure.
    fn shapes(&self) -> bool {
        self.panel.is_some() || self.columns.is_some() || !self.scales.is_empty() || !self.ranges.is_empty()
    }

    /// Applies them, or says why one makes no sense here.
    pub fn shape(&self, figure: &mut Figure) -> Result<(), Refusal> {
        if !self.shapes() {
            return Ok(());
        }
        for ((name, direction), division) in &self.scales {
            let refuse = |why: String| Refusal::new("scale", why);
            for panel in axes(figure, name, *direction).map_err(refuse)? {
                divide(panel, *direction, *division).map_err(|why| refuse(format!("{name}: {why}")))?;
            }
        }
        for ((name, direction), ends) in &self.ranges {
            let refuse = |why: String| Refusal::new("range", why);
            for panel in axes(figure, name, *direction).map_err(refuse)? {
                limit(panel, *direction, *ends).map_err(|why| refuse(format!("{name}: {why}")))?;
            }
        }
        if let Some(name) = &self.panel {
            alone(figure, name).map_err(|why| Refusal::new("panel", why))?;
        }
        if let Some(columns) = self.columns {
            arrange(figure, columns).map_err(|why| Refusal::new("columns", why))?;
        }
        Ok(())
    }
}

/// A part of a figure that a letter stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Diagram,
    Panel(usize),
}

/// The part that goes by a letter or by its name in the table.
fn find(figure: &Figure, wanted: &str) -> Result<Part, String> {
    let letters = figure.letters();
    let mut parts: Vec<(Option<char>, &str, Part)> = Vec::new();
    if let Some(diagram) = &figure.diagram {
        parts.push((letters.diagram, &diagram.name, Part::Diagram));
    }
    for (i, (panel, letter)) in figure.panels.iter().zip(&letters.panels).enumerate() {
        if !panel.is_blank() {
            parts.push((*letter, &panel.name, Part::Panel(i)));
        }
    }
    let plain = wanted.trim_matches(['(', ')']);
    let is_letter = |letter: &char| plain.chars().eq([*letter]) || plain.chars().eq(letter.to_uppercase());
    let found =
        parts.iter().find(|(letter, name, _)| letter.as_ref().is_some_and(is_letter) || *name == wanted);
    if let Some((.., part)) = found {
        return Ok(*part);
    }
    let hint = match nearest(wanted, parts.iter().map(|part| part.1), 2) {
        Some(close) if wanted.chars().count() > 2 => format!("did you mean `{close}`?"),
        _ => {
            let names = parts.iter().map(|(letter, name, _)| match letter {
                Some(letter) => format!("{letter} ({name})"),
                None => (*name).to_owned(),
            });
            format!("there are {}", names.collect::<Vec<_>>().join(", "))
        }
    };
    Err(format!("no panel `{wanted}`; {hint}"))
}

/// The panels whose axis is meant: the one of that name, with those that share the axis.
fn axes<'a>(figure: &'a mut Figure, name: &str, direction: Direction) -> Result<Vec<&'a mut Panel>, String> {
    let Part::Panel(index) = find(figure, name)? else {
        return Err(format!("{name} is a diagram: it has no axes"));
    };
    let is_shared = match direction {
        Direction::X => figure.shares_x,
        Direction::Y => figure.shares_y,
    };
    let panels = figure.panels.iter_mut().enumerate();
    let meant = panels.filter(|(i, panel)| *i == index || (is_shared && !panel.is_blank()));
    Ok(meant.map(|(_, panel)| panel).collect())
}

fn axis(panel: &mut Panel, direction: Direction) -> Result<&mut Axis, String> {
    let is_heat = panel.elements.iter().any(|element| matches!(element, Element::Strip(_)));
    let axis = match direction {
        Direction::X => &mut panel.x,
        Direction::Y if is_heat => return Err("layers lie along its axis, one row each".to_owned()),
        Direction::Y => &mut panel.y,
    };
    match axis.kind {
        AxisKind::Categories(_) => Err("its axis has names in place of numbers".to_owned()),
        _ => Ok(axis),
    }
}

fn divide(panel: &mut Panel, direction: Direction, division: Division) -> Result<(), String> {
    let sizes: Vec<f64> =
        panel.values(direction == Direction::X).into_iter().filter(|v| v.is_finite()).collect();
    let axis = axis(panel, direction)?;
    let largest = sizes.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let least =
        sizes.iter().map(|v| v.abs()).filter(|v| *v > DEEPEST * largest).fold(f64::INFINITY, f64::min);
    let kind = match division {
        Division::Linear => AxisKind::Linear,
        Division::Log if !sizes.iter().any(|v| *v > 0.0) => {
            return Err(
                "no value is positive, so none has a place on a logarithmic axis; take symlog".to_owned()
            );
        }
        Division::Log => AxisKind::Log,
        Division::SymLog if least.is_finite() => AxisKind::Signed(10f64.powf(least.log10().floor())),
        Division::SymLog => return Err("no value differs from zero".to_owned()),
    };
    if axis.kind != kind {
        (axis.kind, axis.ticks) = (kind, None);
    }
    Ok(())
}

fn limit(panel: &mut Panel, direction: Direction, ends: (f64, f64)) -> Result<(), String> {
    let axis = axis(panel, direction)?;
    if axis.is_log() && ends.0 <= 0.0 {
        return Err(format!("its axis is logarithmic, and {} is not positive", ends.0));
    }
    axis.range = Some(ends);
    Ok(())
}

fn alone(figure: &mut Figure, name: &str) -> Result<(), String> {
    match find(figure, name)? {
        Part::Diagram => figure.panels.clear(),
        Part::Panel(index) => {
            let mut panel = figure.panels.swap_remove(index);
            if panel.legend == LegendPlace::Figure {
                panel.legend = LegendPlace::Auto;
            }
            figure.panels = vec![panel];
            figure.diagram = None;
        }
    }
    figure.rows.clear();
    (figure.columns, figure.shares_x, figure.shares_y) = (1, false, false);
    Ok(())
}

fn arrange(figure: &mut Figure, columns: usize) -> Result<(), String> {
    if !figure.rows.is_empty() {
        return Err(format!("its rows have names, {}: they stay", figure.rows.join(", ")));
    }
    // Blanks hold places of another arrangement.
    figure.panels.retain(|panel| !panel.is_blank());
    let columns = columns.min(figure.panels.len()).max(1);
    (figure.columns, figure.fewest, figure.reflows) = (columns, columns, true);
    Ok(())
}
