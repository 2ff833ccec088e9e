//! `creditscope runs show`.

use super::layers::layers;
use super::outcome::numerics;
use super::read;
use super::recipe::departures;
use crate::failure::Failure;
use crate::show::{self, Table};
use protocol::Moment;
use record::{Epoch, Provenance, Run, Score, Status, escape};
use std::path::Path;
use std::time::Duration;

pub(super) fn show(path: &Path, json: bool) -> Result<(), Failure> {
    let run = read(path)?;
    if json {
        let text = whole(&run);
        show::print(&text.map_err(|e| Failure::Internal(format!("{}: not JSON: {e}", path.display())))?);
        return Ok(());
    }
    let mut sections = vec![heading(&run), origin(&run), recipe(&run)];
    if let Some(last) = run.last() {
        sections.push(course(&run.epochs));
        sections.push(measured(&run, last)?);
    }
    show::print(&sections.join("\n"));
    Ok(())
}

/// `{record, recipe, epochs}`, each in the order of its file.
fn whole(run: &Run) -> Result<String, serde_json::Error> {
    Ok(format!(
        "{{\"record\":{},\"recipe\":{},\"epochs\":{}}}\n",
        serde_json::to_string(&run.record)?,
        serde_json::to_string(&run.recipe)?,
        serde_json::to_string(&run.epochs)?
    ))
}

fn heading(run: &Run) -> String {
    let done = run.last().map_or(0, |epoch| epoch.epoch);
    let of = run.epochs_asked().map(|wanted| format!(" of {wanted}")).unwrap_or_default();
    let state = match &run.record.status {
        Status::Stopped { reason, .. } => format!("stopped after {done}{of} epochs: {reason}"),
        Status::Halted { check, .. } => {
            format!("halted after {done}{of} epochs: {check} fired, as audit.stop_on asks")
        }
        status => format!("{}, {done}{of} epochs", status.name()),
    };
    let advice = match run.record.status {
        Status::Running | Status::Interrupted if run.record.provenance.elsewhere.is_some() => {
            "\nAt work, killed at it, or interrupted: the program that trains it continues it, with resume=True.\n"
        }
        Status::Running => {
            "\nAt work, or killed at it: the command that started it, with --resume, continues it.\n"
        }
        Status::Interrupted => "\nThe command that started it, with --resume, continues it.\n",
        Status::Finished | Status::Halted { .. } | Status::Stopped { .. } => "\n",
    };
    format!("{} in {}: {state}{advice}", run.record.id, escape::path(&run.path))
}

/// Columns before a fact.
const NAMES: usize = 15;

/// Where the run came from, a fact a line.
fn origin(run: &Run) -> String {
    let from = &run.record.provenance;
    let net = &run.record.network;
    let network = format!(
        "{}, d = {}, L = {}, {} inputs, {} classes, {} parameters",
        net.name,
        net.width,
        net.blocks,
        show::count(net.inputs as u64),
        show::count(net.classes as u64),
        show::count(net.parameters as u64)
    );
    let machine = &from.machine;
    let machine = format!("{}, {}, {}", machine.cpu, plural(machine.cores, "core"), machine.system);
    let computing = Duration::try_from_secs_f64(run.epochs.iter().map(record::Epoch::seconds).sum());
    let facts = [
        ("rule", rule(run)),
        ("network", network),
        ("data", from.data.clone()),
        ("data hash", from.data_hash.clone()),
        ("recipe hash", from.recipe_hash.clone()),
        ("seed", from.seed.to_string()),
        ("program", program(from)),
        ("machine", machine),
        ("threads", from.threads.to_string()),
        ("started", show::moment(&from.started)),
        ("ended", ended(from)),
        ("computing", computing.map_or_else(|_| "–".to_owned(), show::duration)),
        (
            "resumed",
            if from.resumed == 0 { "never".to_owned() } else { plural(from.resumed as usize, "time") },
        ),
    ];
    let line = |(name, value): (&str, String)| {
        let value = show::indented(&value, NAMES);
        format!("  {name:<12} {}\n", value.trim_start())
    };
    facts.map(line).concat()
}

/// What trained it, or watched while it was trained.
fn program(from: &Provenance) -> String {
    match &from.elsewhere {
        Some(elsewhere) => {
            format!("trained elsewhere, by {}; watched by creditscope {}", elsewhere.by, from.version)
        }
        None => format!("creditscope {}, numerics {}", from.version, numerics(&from.numerics)),
    }
}

/// The rule, and where it is defined if that is not in this program.
fn rule(run: &Run) -> String {
    let name = &run.record.rule;
    let source = run.recipe.get(rules::SOURCE).and_then(toml::Value::as_str);
    source.map_or_else(|| name.clone(), |source| format!("{name}, written in Python ({source})"))
}

fn ended(from: &Provenance) -> String {
    let Some(ended) = &from.ended else { return "–".to_owned() };
    // Records count whole seconds.
    let after = show::between(&from.started, ended).filter(|time| !time.is_zero());
    let after = after.map(|time| format!(", {} after it started", show::duration(time))).unwrap_or_default();
    show::moment(ended) + &after
}

fn recipe(run: &Run) -> String {
    let departures = departures(run);
    if departures.is_empty() {
        return "Every key of the recipe is at its default.\n".to_owned();
    }
    let mut table = Table::new(&["recipe", "value", "default"], 3);
    for departure in departures {
        let default = departure.default.map_or_else(|| "–".to_owned(), |value| value.to_string());
        table.row(vec![departure.key.to_owned(), departure.value.to_string(), default]);
    }
    table.text()
}

/// Test accuracy over the epochs, in a line, where there is one.
fn course(epochs: &[Epoch]) -> String {
    let accuracy: Vec<f64> = epochs.iter().map(|epoch| epoch.test.accuracy).collect();
    let [first, .., last] = accuracy[..] else { return String::new() };
    if last.is_nan() {
        return String::new();
    }
    format!("Test accuracy  {} {} {}\n", show::share(first), show::sparkline(&accuracy), show::share(last))
}

/// What was measured after the last epoch. A logged cosine is in f32; where an audit of the same epoch has confirmed a reference
/// below the floor in f64, it counts.
fn measured(run: &Run, last: &Epoch) -> Result<String, Failure> {
    let audit = protocol::kept_audit(run)?.filter(|audit| audit.epoch == Some(last.epoch));
    let small = last.audit.as_ref().map_or(&[][..], |audit| &audit.units);
    let mut evaluation = last.evaluation.clone();
    protocol::confirm_log(&mut evaluation, audit.as_ref().map_or(small, |audit| &audit.units));
    let number = |value: &toml::Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    let floor = run.key("protocol.floor").and_then(number);
    let score = |which: &str, score: Option<Score>| {
        score.map_or_else(String::new, |score| {
            format!(
                "{which} loss {}, accuracy {}; ",
                show::scientific(score.loss),
                show::share(score.accuracy)
            )
        })
    };
    let scores =
        score("train", last.train) + &score("validation", last.validation) + &score("test", Some(last.test));
    let sum = format!(
        "After epoch {}: {scores}growth {}. Medians over {} test samples; ‖g‖ is the gradient of the \
         mean loss over {} samples:",
        last.epoch,
        Moment::of(last).growth.map_or_else(|| "not known".to_owned(), show::scientific),
        show::count(last.evaluation.samples),
        super::outcome::N,
    );
    Ok(format!("{}\n\n{}", show::wrap(&sum, 0), layers(&evaluation, floor)))
}

fn plural(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}
