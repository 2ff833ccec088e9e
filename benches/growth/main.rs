//! How cost grows: `cargo bench -p creditscope-benches --bench growth [-- --out FOLDER]`.
//!
//! A step against width, depth and batch; a full audit against samples; a sweep against the number of runs. Each exponent
//! is compared with that of the arithmetic: a larger one means that something else is the bottleneck. Prints a table, and
//! with `--out` draws `growth` there as PDF, PNG and SVG with its values as CSV.

mod measure;

use figures::catalogue::Drawing;
use figures::plot::palette::{Dash, look};
use figures::plot::{Axis, Datum, Figure, Key, LegendPlace, Line, Look, MUTED, Panel, Style};
use figures::text::Typesetter;
use figures::{Format, files};
use measure::Growth;
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let out = match arguments.next().as_deref() {
        None => None,
        Some("--out") => Some(PathBuf::from(arguments.next().ok_or("--out needs a folder")?)),
        Some(other) => return Err(format!("there is no option `{other}`, only --out FOLDER").into()),
    };
    let all = measure::all()?;
    println!(
        "{:<28} {:>8} {:>12}   best of some rounds, in seconds",
        "cost against", "exponent", "arithmetic"
    );
    for growth in &all {
        let values: Vec<String> = growth.points.iter().map(|(x, y, _)| format!("{x}: {y:.3e}")).collect();
        println!(
            "{:<28} {:>8.2} {:>12.2}   {}",
            format!("{}, {}", growth.against, growth.series),
            growth.exponent(),
            growth.expected(),
            values.join("  ")
        );
    }
    out.map_or(Ok(()), |folder| draw(&all, &folder))
}

fn draw(all: &[Growth], folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut panels: Vec<Panel> = Vec::new();
    for growth in all {
        let known = panels.iter().position(|panel| panel.name == growth.against);
        let index = known.unwrap_or_else(|| {
            panels.push(Panel::new(growth.against, Axis::log(growth.label), Axis::log(growth.unit)));
            panels.len() - 1
        });
        let panel = &mut panels[index];
        panel.legend = LegendPlace::Figure;
        let look = look(growth.series, &["audit", "sweep"]);
        let measured = growth.points.iter().map(|&(x, y, _)| Datum::new(x, y)).collect();
        // The arithmetic has no unit: it is scaled to the last value.
        let scale = growth.points.last().map_or(1.0, |&(_, y, work)| y / work);
        let arithmetic = growth.points.iter().map(|&(x, _, work)| Datum::new(x, scale * work)).collect();
        if known.is_none() && index == 0 {
            let name = "operations, scaled to the last value".to_owned();
            panel.add(Key { name, colour: MUTED, dash: Dash::Dashed, marker: None });
        }
        let name = format!("operations, {}", growth.series);
        let dashed = Line::new(&name, arithmetic, Look { dash: Dash::Dashed, ..look });
        panel.add(dashed.plain().unlisted());
        panel.add(Line::new(growth.series, measured, look));
        let words =
            format!("{} {:.2} (operations {:.2})", growth.series, growth.exponent(), growth.expected());
        panel.caption = Some(match panel.caption.take() {
            Some(before) => format!("{before}; {words}"),
            None => format!("Exponent: {words}"),
        });
    }
    let mut figure = Figure::grid(3, panels);
    figure.foot = Some("One thread, except runs, which use all cores; best of some rounds.".to_owned());
    let sources = vec!["measured by `cargo bench -p creditscope-benches --bench growth`".to_owned()];
    let drawing = Drawing { figure, sources, notes: Vec::new() };
    let style = Style::paper();
    let setter = Typesetter::new(&style.family)?;
    std::fs::create_dir_all(folder)?;
    for file in files("growth", &drawing, &Format::ALL, &style, 300.0, &setter)? {
        std::fs::write(folder.join(file.name), file.bytes)?;
    }
    Ok(())
}
