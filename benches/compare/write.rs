//! The report on disk: every number as JSON, and tables in a page that is otherwise written by hand.

use crate::arguments::Arguments;
use crate::machine::Machine;
use creditscope_benches::markdown;
use creditscope_benches::section::Section;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Writes `out.json` and the generated part of `out.md`.
pub(crate) fn report(
    out: &Path,
    machine: &Machine,
    sections: &[Section],
    arguments: &Arguments,
) -> Result<(), String> {
    let by_name: Map<String, Value> =
        sections.iter().map(|section| (section.name.to_owned(), section.to_json())).collect();
    let mut whole = machine.to_json();
    whole["quick"] = json!(arguments.quick);
    whole["sections"] = Value::Object(by_name);
    save(&out.with_extension("json"), &(readable(&whole, 0) + "\n"))?;
    let path = out.with_extension("md");
    let before = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    let page = markdown::put(&before, &generated(machine, sections, arguments))
        .map_err(|why| format!("{}: {why}", path.display()))?;
    save(&path, &page)
}

fn generated(machine: &Machine, sections: &[Section], arguments: &Arguments) -> String {
    let mut text = machine.lines().join("\n\n");
    text += "\n\nIn each cell: best / median, below them the quartiles (with fewer than four values, the least and the \
             largest), and below those how many times longer it took than ours, by best and by median. **Bold** marks the \
             ratio against the best arrangement of the other side.";
    if arguments.quick {
        text += "\n\nMeasured with `--quick`: few rounds and cases.";
    }
    for section in sections {
        text += &format!("\n\n{}", markdown::section(section).trim_end());
    }
    text
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)?;
    println!("wrote {}", path.display());
    Ok(())
}

/// JSON with one line per entry, but lists of plain values on one line: samples are long.
fn readable(value: &Value, depth: usize) -> String {
    let pad = " ".repeat(depth + 1);
    let wrap = |open: char, lines: Vec<String>, close: char| {
        format!("{open}\n{pad}{}\n{}{close}", lines.join(&format!(",\n{pad}")), " ".repeat(depth))
    };
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let lines =
                entries.iter().map(|(key, value)| format!("{}: {}", json!(key), readable(value, depth + 1)));
            wrap('{', lines.collect(), '}')
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            wrap('[', items.iter().map(|item| readable(item, depth + 1)).collect(), ']')
        }
        plain => plain.to_string(),
    }
}
