//! The audit of a network that lives elsewhere.

use crate::Measurements;
use protocol::warnings::{of_measurement, of_units};
use protocol::{Facts, checks, gamma, last_gradient, verdict};
use record::audit::{Audit, Consistency, Settings, Subject, Warning};

/// What the measurement cannot know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveFacts {
    /// Name of the network, for the audit.
    pub name: String,
    /// Test accuracy.
    pub accuracy: Option<f64>,
    /// Whether that is only the accuracy on the measured samples.
    pub of_samples: bool,
    /// Test accuracy of the same rule with frozen blocks.
    pub frozen: Option<f64>,
    /// Whether the measured states are those of the residual stream, so that their growth means something.
    pub is_stream: bool,
}

/// The checks and the verdict on what was measured.
pub fn judge_live(found: Measurements, facts: &LiveFacts, settings: Settings) -> Audit {
    let Measurements { mut states, units, error, growth, direction, carried } = found;
    let known = Facts {
        growth: facts.is_stream.then_some(growth),
        gradient: last_gradient(states.iter().map(|state| state.gradient)),
        error: Some(error),
        direction,
        accuracy: facts.accuracy,
        frozen: facts.frozen,
        is_frozen: false,
    };
    if !facts.is_stream {
        states.iter_mut().for_each(|state| (state.hidden, state.sensitivity) = (None, None));
    }
    let why = "a model in memory: there is no record of the credit that it was trained with";
    let consistency = Consistency::NotAssessed { why: why.to_owned() };
    let checks = checks(&known, &[], &consistency, &settings.thresholds);
    let mut warnings = of_measurement(&settings, 0, 0);
    if facts.of_samples {
        warnings.push(Warning::AccuracyOfSamples { samples: settings.samples });
    }
    warnings.extend(of_units(&units, settings.step));
    Audit {
        schema: Audit::SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        samples: settings.samples,
        carried,
        settings,
        epoch: None,
        accuracy: facts.accuracy,
        frozen: facts.frozen,
        error: Some(error),
        states,
        gamma: gamma(&units),
        units,
        verdict: verdict(&checks),
        checks,
        consistency,
        warnings,
        seconds: 0.0,
        subject: Subject::Dump { id: facts.name.clone(), rule: None, seed: None, hashes: Vec::new() },
    }
}
