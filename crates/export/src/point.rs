//! The numbers of an epoch, one by one, under the names that tables and trackers share.

use protocol::Moment;
use record::audit::{Evidence, UnitAudit};
use record::{Epoch, Measured, Score, Unit, series};
use std::borrow::Cow;

/// One measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<'a> {
    /// What was measured: `accuracy`, `growth`, `cosine`.
    pub quantity: Cow<'a, str>,
    /// Of what.
    pub of: Of,
    /// The number, as far as there is one.
    pub value: Measured,
    /// Samples that it was measured on; absent for scores, which are over a whole set, and for what has no samples.
    pub samples: Option<u64>,
}

/// What a number is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A set of samples: `train`, `validation`, `test`.
    Split(&'static str),
    /// The network as a whole, or its training.
    Network,
    /// A layer: the unit with this index, counted from the embedding.
    Layer(usize),
}

impl Point<'_> {
    /// The name of its series in tables: `test_accuracy`, `growth`, `cosine`.
    pub fn series(&self) -> String {
        match self.of {
            Of::Split(split) => format!("{split}_{}", self.quantity),
            Of::Network | Of::Layer(_) => self.quantity.to_string(),
        }
    }

    /// Its name in trackers: `test/accuracy`, `network/growth`, `cosine/block_3`, `nudge/0.01/embed`. Characters that one of
    /// them refuses become `_`.
    pub fn tag(&self) -> String {
        match self.of {
            Of::Split(split) => format!("{split}/{}", plain(&self.quantity)),
            Of::Network => format!("network/{}", plain(&self.quantity)),
            Of::Layer(layer) => format!("{}/{}", plain(&self.quantity), layer_tag(layer)),
        }
    }

    /// The number where a chart can show it; charts know no more than f32 does.
    pub(crate) fn charted(&self) -> Option<f64> {
        self.value.value().filter(|value| (*value as f32).is_finite())
    }

    /// Whether it can be believed, where that is not a matter of course: the norms of states, gradients and credit always exist,
    /// and so do the ends of a null.
    pub(crate) fn believed(&self) -> Option<bool> {
        let norms = [series::HIDDEN, series::GRADIENT, series::CREDIT];
        let exists =
            self.quantity.starts_with("null_") || norms.iter().any(|norm| norm.name == self.quantity);
        let believed = self.value.defined().is_some_and(f64::is_finite);
        (matches!(self.of, Of::Layer(_)) && !exists).then_some(believed)
    }
}

/// The numbers of an epoch that charts show, under their tags. What is undefined is absent, and beside each series that may have
/// gaps or doubtful values another one says where it can be believed.
pub fn charted(epoch: &Epoch) -> Vec<(String, f64)> {
    let of = |point: &Point<'_>| {
        let tag = point.tag();
        let believed = point.believed().map(|believed| believable(&tag, believed));
        point.charted().map(|value| (tag, value)).into_iter().chain(believed)
    };
    points(epoch).iter().flat_map(of).collect()
}

/// Whether the value under a tag can be believed, as a number under a tag of its own.
pub(crate) fn believable(tag: &str, believed: bool) -> (String, f64) {
    (format!("believable/{tag}"), f64::from(u8::from(believed)))
}

/// A layer in a tag: `embed`, `block_3`.
fn layer_tag(layer: usize) -> String {
    Unit::at(layer).to_string().replace(' ', "_")
}

fn plain(name: &str) -> String {
    let plain = |c: char| match c {
        '@' => '/',
        c if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') => c,
        _ => '_',
    };
    name.chars().map(plain).collect()
}

/// Every number of an epoch: scores, the network as a whole, then layer by layer.
pub fn points(epoch: &Epoch) -> Vec<Point<'_>> {
    let mut points = Points(Vec::new());
    for (split, score) in
        [("train", epoch.train), ("validation", epoch.validation), ("test", Some(epoch.test))]
    {
        points.score(split, score);
    }
    points.network(epoch);
    points.layers(epoch);
    if let Some(audit) = &epoch.audit {
        audit.units.iter().for_each(|unit| points.unit(unit, audit.samples));
    }
    points.0
}

struct Points<'a>(Vec<Point<'a>>);

impl<'a> Points<'a> {
    fn add(
        &mut self,
        quantity: impl Into<Cow<'a, str>>,
        of: Of,
        value: impl Into<Measured>,
        samples: Option<u64>,
    ) {
        self.0.push(Point { quantity: quantity.into(), of, value: value.into(), samples });
    }

    fn score(&mut self, split: &'static str, score: Option<Score>) {
        let Some(score) = score else { return };
        self.add("loss", Of::Split(split), score.loss, None);
        // Where nothing is classified, there is no accuracy.
        if !score.accuracy.is_nan() {
            self.add("accuracy", Of::Split(split), score.accuracy, None);
        }
    }

    fn network(&mut self, epoch: &'a Epoch) {
        let evaluation = &epoch.evaluation;
        let samples = Some(evaluation.samples);
        let moment = Moment::of(epoch);
        let measured =
            [("error", moment.error), ("growth", moment.growth), ("gradient_n128", moment.gradient)];
        for (name, value) in measured {
            value.into_iter().for_each(|value| self.add(name, Of::Network, value, samples));
        }
        for (note, &value) in &evaluation.notes {
            self.add(note.as_str(), Of::Network, value, samples);
        }
        for (name, value) in [("lr", epoch.lr), ("seconds", Some(epoch.seconds()))] {
            value.into_iter().for_each(|value| self.add(name, Of::Network, value, None));
        }
    }

    fn layers(&mut self, epoch: &'a Epoch) {
        let evaluation = &epoch.evaluation;
        for name in series::in_order(&evaluation.series) {
            let series = &evaluation.series[name];
            for (index, &value) in series.values.iter().enumerate() {
                self.add(name, Of::Layer(series.at.unit(index)), value, Some(evaluation.samples));
            }
        }
    }

    /// What an audit during training adds to the series of the log.
    fn unit(&mut self, unit: &UnitAudit, samples: u64) {
        let layer = Of::Layer(unit.unit.state());
        for (evidence, suffix) in [(&unit.here, ""), (&unit.at_input, "_at_input")] {
            evidence.iter().for_each(|evidence| self.evidence(evidence, suffix, layer, samples));
        }
    }

    fn evidence(&mut self, evidence: &Evidence, suffix: &str, layer: Of, samples: u64) {
        if let Some(rho) = evidence.rho {
            self.add(format!("rho{suffix}"), layer, rho.value, Some(samples));
        }
        for nudge in &evidence.nudges {
            self.add(format!("nudge{suffix}@{}", nudge.eta), layer, nudge.change, Some(samples));
        }
        for null in &evidence.nulls {
            let name = |end: &str| format!("null_{end}_{}{suffix}@{}", null.of.name(), null.kind.name());
            self.add(name("low"), layer, null.low, Some(null.samples));
            self.add(name("high"), layer, null.high, Some(null.samples));
        }
    }
}
