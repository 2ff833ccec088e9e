//! Audits that were made, as text, HTML, JSON and tables.

use crate::columns::{Columns, Row};
use crate::fault::Fault;
use crate::remedy::keyword;
use lab::{Sweep, audits_json};
use protocol::{gain, last_gradient};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use record::audit::{Audit, AuditSet, CheckId, Evidence, Outcome, Standing};
use report::audit::{Answer, FailOn, View, answers, csv, page};
use report::page::Page;
use report::show::Colour;

/// Audits, one table per set of conditions.
#[pyclass(frozen, module = "creditscope._core")]
pub(crate) struct Judged {
    pub(crate) sweeps: Vec<Sweep>,
    /// What could not be read or saved.
    pub(crate) problems: Vec<String>,
}

#[pymethods]
impl Judged {
    /// What could not be read or saved, one sentence each.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    /// What `creditscope audit --json` prints.
    fn json(&self) -> PyResult<String> {
        Ok(audits_json(&self.sweeps)
            .map_err(|e| Fault::internal(format!("an audit that is no JSON: {e}")))?)
    }

    /// The page of a terminal, without colour.
    fn text(&self, layers: bool) -> String {
        let title = |name: &str| format!("Runs with {name}:\n\n");
        self.pages(layers, title, |page| page.text(Colour::Off)).join("\n\n")
    }

    /// The page of a notebook.
    fn html(&self, layers: bool) -> String {
        let title = |name: &str| format!("<h3>{}</h3>\n", record::escape::xml(name));
        self.pages(layers, title, Page::html).concat()
    }

    /// The page in Markdown.
    fn markdown(&self, layers: bool) -> String {
        self.pages(layers, |name| format!("## {name}\n\n"), Page::markdown).join("\n\n")
    }

    /// Every number, one row each.
    fn csv(&self) -> String {
        let names: Vec<String> = self.sweeps.iter().map(Sweep::name).collect();
        let sets = names.iter().map(String::as_str).zip(self.sets());
        csv::text(&sets.collect::<Vec<_>>())
    }

    /// What of these is found, and what cannot be answered.
    fn found(&self, wanted: Vec<String>) -> PyResult<(Vec<String>, Vec<String>)> {
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for word in &wanted {
            let named = FailOn::NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
            let Some(&(_, on)) = named else {
                let names: Vec<&str> = FailOn::NAMED.iter().map(|(name, _)| *name).collect();
                return Err(
                    Fault::new("UsageError", format!("`{word}`: choose from {}", names.join(", "))).into()
                );
            };
            for answer in self.sets().flat_map(|set| answers(set, on)) {
                match answer {
                    Answer::Found(words) => found.push(words),
                    Answer::Open(words) => open.push(words),
                }
            }
        }
        Ok((found, open))
    }

    /// One row per audit.
    fn verdicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut columns = Columns::default();
        for audit in self.audits() {
            let mut row = start(audit)
                .words("verdict", audit.verdict.words())
                .real("accuracy", audit.accuracy)
                .real("frozen_accuracy", audit.frozen)
                .real("gain", gain(audit.accuracy, audit.frozen))
                .real("gradient_n128", last_gradient(audit.states.iter().map(|state| state.gradient)))
                .real("gamma", audit.gamma.here.defined);
            for id in [CheckId::D1, CheckId::D2, CheckId::Direction, CheckId::D3, CheckId::Consistency] {
                let check = audit.checks.iter().find(|check| check.check == id);
                let outcome = check.map_or("absent", |check| match check.outcome {
                    Outcome::Passes => "passes",
                    Outcome::Fires => "fires",
                    Outcome::NotAssessed { .. } => "not assessed",
                });
                let first = check.and_then(|check| check.first_fired).map(|epoch| epoch as f64);
                row = row
                    .words(id.name(), outcome)
                    .real(&format!("{}_statistic", id.name()), check.and_then(|check| check.statistic))
                    .real(&format!("{}_first_fired", id.name()), first);
            }
            columns.add(row);
        }
        columns.into_dict(py)
    }

    /// One row per audit and unit.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut columns = Columns::default();
        let mut etas: Vec<f64> =
            self.audits().flat_map(|audit| audit.settings.etas.iter().copied()).collect();
        etas.sort_by(f64::total_cmp);
        etas.dedup();
        for audit in self.audits() {
            for unit in &audit.units {
                let layer = unit.unit.state();
                let state = audit.states.get(layer);
                let rho = |here: &Evidence| here.rho.map(|rho| rho.value);
                let best = |here: &Evidence| here.rho.map(|rho| rho.gradient);
                let here = unit.here.as_ref();
                let row = start(audit)
                    .whole("layer", layer as u64)
                    .words("unit", unit.unit.to_string())
                    .words("standing", name_of(unit.standing))
                    .real("hidden", state.and_then(|state| state.hidden))
                    .real("gradient", state.and_then(|state| state.gradient))
                    .real("credit", unit.credit)
                    .measured("cosine", here.map(|here| here.cosine))
                    .real("cosine_low", here.and_then(|here| Some(here.estimate?.low)))
                    .real("cosine_high", here.and_then(|here| Some(here.estimate?.high)))
                    .measured("cosine_at_input", unit.at_input.as_ref().map(|at| at.cosine))
                    .measured("rho", here.and_then(rho))
                    .measured("rho_of_gradient", here.and_then(best));
                columns.add(nudges(row, &etas, here).real("drift", unit.drift));
            }
        }
        columns.into_dict(py)
    }
}

impl Judged {
    fn sets(&self) -> impl Iterator<Item = &AuditSet> {
        self.sweeps.iter().map(|sweep| &sweep.set)
    }

    fn audits(&self) -> impl Iterator<Item = &Audit> {
        self.sets().flat_map(|set| &set.audits)
    }

    fn pages(
        &self,
        layers: bool,
        title: impl Fn(&str) -> String,
        render: impl Fn(&Page) -> String,
    ) -> Vec<String> {
        let view = View { layers, ..View::default() };
        let each = self.sweeps.iter().map(|sweep| {
            let name = sweep.name();
            let title = if name.is_empty() { name } else { title(&name) };
            title + &render(&page(&sweep.set, &view).with_remedies(|remedy| keyword(remedy).to_owned()))
        });
        each.collect()
    }
}

/// The columns that say what was audited.
fn start(audit: &Audit) -> Row {
    let number = |x: Option<u64>| x.map(|x| x as f64);
    Row::default()
        .words("run", audit.subject.id())
        .words("group", audit.subject.group())
        .real("seed", number(audit.subject.seed()))
        .real("epoch", number(audit.epoch))
        .whole("samples", audit.samples)
}

/// A column for the nudge of each length.
fn nudges(row: Row, etas: &[f64], here: Option<&Evidence>) -> Row {
    etas.iter().fold(row, |row, &eta| {
        let nudge = here.and_then(|here| here.nudges.iter().find(|nudge| nudge.eta == eta));
        row.measured(&format!("nudge_{eta}"), nudge.map(|nudge| nudge.change))
    })
}

/// Its name in files.
fn name_of(standing: Standing) -> String {
    serde_json::to_value(standing).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}
