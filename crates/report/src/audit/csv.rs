//! Every number of a set in a tidy table (RFC 4180): one row per value, from which any other table can be made.
//!
//! `hidden` and `gradient` are medians over samples, the gradient of each sample's own loss as in `audit.json`, and
//! `gradient_n128` that of a mean over 128. `sensitivity` is ‖p‖·‖h‖; `effect_of_parameters@lr` and `effect_of_state@η` are the
//! change of the loss by a step along the true gradient, as a share of the loss. `null_place` is −1 below every draw, 0 among them, 1 above.
//! `samples` is empty for accuracies, which are over the whole test set.

use super::{place, reach};
use protocol::{at_floor, gain, last_gradient, sensitivity};
use record::audit::{Audit, AuditSet, CheckId, Evidence, Moved, Outcome, Place};
use record::{Measured, escape};

const HEADING: &str = "run,group,rule,seed,epoch,unit,convention,quantity,value,state,why,samples,sweep";

/// The table of several sets, each with a name of its own; a single one needs none.
pub fn text(sets: &[(&str, &AuditSet)]) -> String {
    let mut text = format!("{HEADING}\r\n");
    for (sweep, set) in sets {
        for audit in &set.audits {
            let mut rows = Rows::of(audit, sweep, &mut text);
            of_run(audit, &mut rows);
            of_states(audit, &mut rows);
            of_units(audit, &mut rows);
        }
    }
    text
}

/// Rows under construction, with the columns that all rows of an audit share.
struct Rows<'a> {
    text: &'a mut String,
    start: String,
    end: String,
    samples: Option<u64>,
    /// Unit and convention of the rows to come.
    at: (String, &'static str),
}

impl<'a> Rows<'a> {
    fn of(audit: &Audit, sweep: &str, text: &'a mut String) -> Self {
        let rule = audit.subject.rule().unwrap_or_default();
        let whole = |x: Option<u64>| x.map_or_else(String::new, |x| x.to_string());
        let seed = whole(audit.subject.seed());
        let epoch = whole(audit.epoch);
        let cells = [audit.subject.id(), audit.subject.group(), rule, &seed, &epoch];
        let start = cells.map(escape::csv).join(",");
        let end = escape::csv(sweep);
        Self { text, start, end, samples: Some(audit.samples), at: (String::new(), "") }
    }

    fn row(&mut self, quantity: &str, value: &str, state: &str, why: &str, samples: Option<u64>) {
        let (unit, convention) = &self.at;
        let samples = samples.map_or_else(String::new, |n| n.to_string());
        let cells = [unit.as_str(), convention, quantity, value, state, why].map(escape::csv).join(",");
        self.text.push_str(&format!("{},{cells},{samples},{}\r\n", self.start, self.end));
    }

    /// A number that is simply there; nothing where it is not.
    fn number(&mut self, quantity: &str, x: Option<f64>) {
        if let Some(x) = x {
            self.row(quantity, &number(x), "defined", "", self.samples);
        }
    }

    fn measured(&mut self, quantity: &str, x: Measured) {
        let value = x.value().map_or_else(String::new, number);
        self.row(quantity, &value, x.state(), x.why().map_or("", |why| why.words()), self.samples);
    }
}

fn of_run(audit: &Audit, rows: &mut Rows<'_>) {
    let measured_on = rows.samples.take();
    rows.number("accuracy", audit.accuracy);
    rows.number("frozen", audit.frozen);
    rows.number("gain", gain(audit.accuracy, audit.frozen));
    rows.samples = measured_on;
    rows.number("error", audit.error);
    let last = last_gradient(audit.states.iter().map(|state| state.gradient));
    rows.number("gradient_over_error", last.zip(audit.error).map(|(gradient, error)| gradient / error));
    for check in &audit.checks {
        let name = check.check.name();
        rows.samples = measured_on.filter(|_| check.check != CheckId::D3);
        let why = match &check.outcome {
            Outcome::Passes => "passes".to_owned(),
            Outcome::Fires => "fires".to_owned(),
            Outcome::NotAssessed { why } => format!("not assessed: {why}"),
        };
        let value = check.statistic.map_or_else(String::new, number);
        let state = if check.statistic.is_some() { "defined" } else { "undefined" };
        rows.row(name, &value, state, &why, rows.samples);
        rows.number(&format!("{name}_threshold"), Some(check.threshold));
        rows.number(&format!("{name}_margin"), check.margin);
        rows.number(&format!("{name}_first_fired"), check.first_fired.map(|epoch| epoch as f64));
    }
    rows.samples = measured_on;
    for (convention, gamma) in [("here", audit.gamma.here), ("at_input", audit.gamma.at_input)] {
        rows.at.1 = convention;
        rows.number("gamma", gamma.defined);
        rows.number("gamma_all", gamma.all);
        rows.number("gamma_units", (gamma.of > 0).then_some(gamma.units as f64));
        rows.number("gamma_of", (gamma.of > 0).then_some(gamma.of as f64));
    }
}

/// A state is listed with the unit that it is the output of, and by its own name where there is none.
fn of_states(audit: &Audit, rows: &mut Rows<'_>) {
    for (index, state) in audit.states.iter().enumerate() {
        rows.at = (place::name_at(&[audit], index), "here");
        rows.number("hidden", state.hidden);
        rows.number("gradient", state.gradient);
        rows.number("gradient_n128", state.gradient.map(at_floor));
        rows.number("precisions", state.precisions);
        rows.number("sensitivity", sensitivity(state));
        rows.number("probe", state.probe);
    }
}

fn of_units(audit: &Audit, rows: &mut Rows<'_>) {
    for unit in &audit.units {
        rows.at = (unit.unit.to_string(), "here");
        rows.number("credit", unit.credit);
        rows.number("drift", unit.drift);
        for point in &unit.mean_credit {
            let values = [
                ("", point.cosine),
                ("_low", point.low),
                ("_high", point.high),
                ("_expected", point.expected),
            ];
            for (part, x) in values {
                let quantity = format!("mean_credit{part}@{}", point.draws);
                rows.row(&quantity, &number(x), "defined", "", Some(point.samples));
            }
        }
        if let Some((effect, inert)) = reach::of_unit(audit, unit) {
            let moved = match effect.moved {
                Moved::Parameters => "parameters",
                Moved::State => "state",
            };
            rows.number(&format!("effect_of_{moved}@{}", effect.step), Some(effect.share));
            rows.number("inert", Some(f64::from(u8::from(inert))));
        }
        for (convention, evidence) in [("here", &unit.here), ("at_input", &unit.at_input)] {
            if let Some(evidence) = evidence {
                rows.at.1 = convention;
                of_evidence(evidence, rows);
            }
        }
    }
}

fn of_evidence(evidence: &Evidence, rows: &mut Rows<'_>) {
    rows.measured("cosine", evidence.cosine);
    if let Some(estimate) = evidence.estimate {
        rows.number("cosine_low", Some(estimate.low));
        rows.number("cosine_high", Some(estimate.high));
        rows.number("cosine_directions", Some(estimate.directions as f64));
    }
    rows.number("spread", evidence.spread);
    rows.number("torch", evidence.torch);
    if let Some(rho) = evidence.rho {
        rows.measured("rho", rho.value);
        rows.measured("rho_gradient", rho.gradient);
        rows.number("rho_step", Some(rho.step));
        rows.number("rho_rounding", Some(rho.rounding));
    }
    for nudge in &evidence.nudges {
        rows.measured(&format!("nudge@{}", nudge.eta), nudge.change);
        rows.measured(&format!("nudge_gradient@{}", nudge.eta), nudge.gradient);
    }
    for null in &evidence.nulls {
        let of = null.of.name();
        let kind = null.kind.name();
        let place = match null.place {
            Place::Below => -1.0,
            Place::Inside => 0.0,
            Place::Above => 1.0,
        };
        let values = [
            ("low", null.low),
            ("high", null.high),
            ("value", null.value),
            ("place", place),
            ("draws", null.draws as f64),
        ];
        for (part, x) in values {
            rows.row(&format!("null_{part}_{of}@{kind}"), &number(x), "defined", "", Some(null.samples));
        }
    }
}

/// The shortest digits that read back as the same number.
pub fn number(x: f64) -> String {
    match x {
        _ if x.is_nan() => "nan".to_owned(),
        _ if x == 0.0 || (1e-4..1e15).contains(&x.abs()) => format!("{x}"),
        _ if x.is_finite() => format!("{x:e}"),
        _ if x > 0.0 => "inf".to_owned(),
        _ => "-inf".to_owned(),
    }
}
