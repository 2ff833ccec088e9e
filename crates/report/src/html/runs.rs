//! Every run: a row in a table of all, and its own tables behind a line that opens.

use crate::audit::{self, verdict};
use crate::show::{self, Symbol, Table, Text};
use protocol::Moment;
use record::audit::Audit;
use record::escape::xml;
use record::{Epoch, Run};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Instead of the value of a recipe key that a run does not have.
pub const ABSENT: &str = "–";

/// A run on the page.
#[derive(Clone, Debug)]
pub struct RunPart<'a> {
    /// Its record.
    pub run: &'a Run,
    /// Where it is, as shown.
    pub path: String,
    /// Its audit; none before its first epoch.
    pub audit: Option<&'a Audit>,
    /// The recipe keys in which the runs of the page differ, with its values; [`ABSENT`] for one that it does not have.
    pub keys: Vec<(String, String)>,
    /// A small picture of its course; empty without one.
    pub course: String,
}

impl RunPart<'_> {
    /// `resmlp, d = 256, L = 4`.
    pub(super) fn network(&self) -> String {
        let network = &self.run.record.network;
        format!("{}, d = {}, L = {}", network.name, network.width, network.blocks)
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.audit.is_some_and(|audit| audit.subject.is_frozen())
    }

    /// Whether it has numbers layer by layer.
    pub(super) fn is_layered(&self) -> bool {
        self.run.epochs.iter().any(|epoch| !epoch.evaluation.series.is_empty())
    }

    pub(super) fn verdict(&self) -> (Symbol, String) {
        self.audit.map_or((Symbol::Absent, "no epoch yet".to_owned()), verdict)
    }

    /// `12 of 100`.
    fn epochs(&self) -> String {
        let done = self.run.last().map_or(0, |epoch| epoch.epoch);
        self.run.epochs_asked().map_or_else(|| done.to_string(), |asked| format!("{done} of {asked}"))
    }
}

/// All runs, one row each.
pub fn overview(parts: &[RunPart<'_>]) -> Table {
    let networks =
        parts.first().is_some_and(|first| parts.iter().any(|part| part.network() != first.network()));
    let columns = columns(parts);
    let keys = |part: &RunPart<'_>| -> Vec<(String, String)> {
        part.keys.iter().filter(|(key, _)| columns.contains(key)).cloned().collect()
    };
    let first_keys = parts.first().map(keys).unwrap_or_default();
    let mut heading = vec!["run", "rule", "seed"];
    heading.extend(networks.then_some("network"));
    heading.extend(first_keys.iter().map(|(key, _)| key.as_str()));
    heading.push("verdict");
    let left = heading.len();
    heading.extend(["accuracy", "growth", "‖g_L‖ N=128", "epochs", "state"]);
    let mut table = Table::new(&heading, left);
    for part in parts {
        let moment = part.run.last().map(Moment::of);
        let number = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), show::scientific);
        let (symbol, verdict) = part.verdict();
        let mut cells: Vec<Text> = vec![
            part.run.record.id.as_str().into(),
            part.run.record.rule.as_str().into(),
            part.run.record.provenance.seed.to_string().into(),
        ];
        cells.extend(networks.then(|| part.network().into()));
        cells.extend(keys(part).into_iter().map(|(_, value)| Text::from(value)));
        cells.push(Text::from(symbol).then(format!(" {verdict}")));
        cells.extend(
            [
                part.run.last().map_or_else(|| "–".to_owned(), |epoch| show::share(epoch.test.accuracy)),
                number(moment.and_then(|moment| moment.growth)),
                number(moment.and_then(|moment| moment.gradient)),
                part.epochs(),
                part.run.record.status.name().to_owned(),
            ]
            .map(Text::from),
        );
        table.row(cells);
    }
    table
}

/// Of many studies, runs differ in more keys than a table is wide.
const COLUMNS: usize = 8;

/// The keys that have a column: those in which most runs differ from what is usual. Rule and seed have columns of their own.
fn columns(parts: &[RunPart<'_>]) -> Vec<String> {
    let mut runs: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (key, value) in
        parts.iter().flat_map(|part| &part.keys).filter(|(key, _)| key != "rule.name" && key != "seed")
    {
        *runs.entry(key).or_default().entry(value).or_default() += 1;
    }
    let usual = |values: &BTreeMap<&str, usize>| values.values().copied().max().unwrap_or(0);
    let mut keys: Vec<(&str, usize)> = runs.iter().map(|(key, values)| (*key, usual(values))).collect();
    keys.sort_by_key(|(_, usual)| *usual);
    keys.into_iter().take(COLUMNS).map(|(key, _)| key.to_owned()).collect()
}

/// The tables of every run, each behind a line that opens, and the marks that they use.
pub(super) fn details(parts: &[RunPart<'_>]) -> (String, Vec<(String, String)>) {
    let audits: Vec<&Audit> = parts.iter().filter_map(|part| part.audit).collect();
    let (tables, marks) = audit::unit_tables(&audits);
    let mut tables = tables.into_iter();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let (symbol, verdict) = part.verdict();
        let accuracy =
            part.run.last().map(|epoch| format!(", accuracy {}", show::share(epoch.test.accuracy)));
        let _ = writeln!(
            out,
            "<details class=\"run\" id=\"run-{index}\" data-run=\"{index}\"><summary>{} \
             <span class=\"{}\">{} {}</span>{}</summary>",
            xml(&part.run.record.id),
            symbol.tone().class(),
            symbol.sign(),
            xml(&verdict),
            accuracy.unwrap_or_default()
        );
        out.push_str(&part.course);
        out.push_str(&facts(part).html());
        for table in part.audit.and_then(|_| tables.next()).into_iter().flatten() {
            out.push_str(&format!("<div class=\"scroll\">{}</div>\n", table.html_styled()));
        }
        out.push_str("</details>\n");
    }
    (out, marks)
}

/// What its recipe differs in, and where it ended.
fn facts(part: &RunPart<'_>) -> Table {
    let mut table = Table::new(&["", ""], 2);
    let mut fact = |name: &str, value: String| table.row(vec![Text::from(name), value.into()]);
    for (key, value) in part.keys.iter().filter(|(_, value)| value != ABSENT) {
        fact(key, value.clone());
    }
    fact("network", part.network());
    let reason = part.run.record.status.reason().map_or_else(String::new, |why| format!(": {why}"));
    fact("state", format!("{}{reason}, epoch {}", part.run.record.status.name(), part.epochs()));
    if let Some(last) = part.run.last() {
        final_values(last).into_iter().for_each(|(name, value)| fact(name, value));
    }
    fact("directory", part.path.clone());
    table
}

fn final_values(last: &Epoch) -> Vec<(&'static str, String)> {
    let moment = Moment::of(last);
    let known = |(name, value): (&'static str, Option<String>)| value.map(|value| (name, value));
    let validation = last.validation.map(|score| show::share(score.accuracy));
    [
        ("test accuracy", Some(show::share(last.test.accuracy))),
        ("validation accuracy", validation),
        ("test loss", Some(show::scientific(last.test.loss))),
        ("train loss", last.train.map(|score| show::scientific(score.loss))),
        ("growth", moment.growth.map(show::scientific)),
        ("‖g_L‖ at N = 128", moment.gradient.map(show::scientific)),
        ("‖e_T‖", Some(show::scientific(last.evaluation.error))),
    ]
    .into_iter()
    .filter_map(known)
    .collect()
}
