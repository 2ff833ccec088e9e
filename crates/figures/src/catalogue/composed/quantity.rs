//! What a panel can show, by name: numbers of an epoch, numbers by layer, and every series that a log holds.

use super::known::{Known, Source, TABLE};
use crate::catalogue::meaning;
use crate::reader::{EpochPoint, Records, Trial};
use crate::text::escape;
use record::series::{self, At, Scale};
use record::{Measured, nearest};
use std::collections::BTreeMap;
use std::fmt;

/// A quantity that a panel shows: `test_accuracy`, `cosine`, or one layer of it as `cosine[0]` or `hidden[-1]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) name: String,
    /// Of one layer alone, counted from the end if negative.
    pub(super) index: Option<i64>,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => f.write_str(&self.name),
            Some(index) => write!(f, "{}[{index}]", self.name),
        }
    }
}

impl Quantity {
    /// Reads a name with its index. Whether the name means anything is known with the records.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let Some((name, rest)) = text.split_once('[') else {
            return Ok(Self { name: text.to_owned(), index: None });
        };
        let index = rest.strip_suffix(']').and_then(|index| index.trim().parse().ok());
        let wrong = || format!("`{text}`: write one layer as {name}[0], or {name}[-1] for the last");
        Ok(Self { name: name.to_owned(), index: Some(index.ok_or_else(wrong)?) })
    }

    /// Refuses a name that neither the program nor a log knows.
    pub(super) fn check(&self, records: &Records) -> Result<(), String> {
        let held = held(records);
        let names = || TABLE.iter().map(|known| known.name).chain(held.keys().map(String::as_str));
        if names().any(|name| name == self.name) {
            let by_layer = self.at(records).is_some();
            let name = &self.name;
            return match self.index {
                Some(_) if !by_layer => Err(format!("`{name}` is one number, so it has no layer to choose")),
                _ => Ok(()),
            };
        }
        let hint = match nearest(&self.name, names(), 3) {
            Some(close) => format!("did you mean `{close}`?"),
            None => {
                let mut all: Vec<&str> = names().collect();
                all.sort_unstable();
                all.dedup();
                format!("there are {}", all.join(", "))
            }
        };
        Err(format!("unknown series `{}`: {hint}", self.name))
    }

    fn known(&self) -> Option<&'static Known> {
        TABLE.iter().find(|known| known.name == self.name)
    }

    /// Where its values are measured; none where it is one number.
    pub(super) fn at(&self, records: &Records) -> Option<At> {
        match self.known().map(|known| known.source) {
            Some(Source::Epoch(_) | Source::Accuracy | Source::OfLayers(_)) => None,
            Some(Source::Layers(at, _)) => Some(at),
            Some(Source::Drift) => Some(At::BlockInput),
            None => held(records).get(&self.name).copied(),
        }
    }

    /// Whether it still has a value for each layer.
    pub(super) fn is_by_layer(&self, records: &Records) -> bool {
        self.index.is_none() && self.at(records).is_some()
    }

    /// Whether it is an accuracy, which is given in percent.
    pub(super) fn is_share(&self) -> bool {
        [meaning::TEST_ACCURACY, meaning::TRAIN_ACCURACY].contains(&self.name.as_str())
    }

    /// Whether it is about the credit of units, which may be inert.
    pub(super) fn is_of_credit(&self) -> bool {
        matches!(self.known().map(|known| known.source), Some(Source::Layers(At::Unit | At::BlockInput, _)))
    }

    /// Its name in words, and who measures it where that is not training.
    pub(super) fn words(&self) -> String {
        let name = self.to_string().replace('_', " ");
        if self.needs_audit() { format!("{name} by layer; an audit measures it") } else { name }
    }

    /// Whether only an audit measures it.
    pub(super) fn needs_audit(&self) -> bool {
        ["rho", "nudge"].iter().any(|stem| self.name.starts_with(stem))
    }

    /// Label source of its axis.
    pub(super) fn label(&self) -> String {
        let of_log = || series::find(&self.name).map(|listed| listed.label);
        let label = self.known().map(|known| known.label).or_else(of_log);
        let label = label.map_or_else(|| escape(&self.name), str::to_owned);
        match self.index {
            None => label,
            Some(-1) => label.replace("_l", "_L"),
            Some(index) => label.replace("_l", &format!("_{{{index}}}")),
        }
    }

    /// The scale of its axis if nothing else is asked for.
    pub(super) fn scale(&self) -> Scale {
        let of_log = || series::find(&self.name).map(|listed| listed.scale);
        self.known().map(|known| known.scale).or_else(of_log).unwrap_or(Scale::Linear)
    }

    /// Its values after an epoch: by layer, or a single one.
    pub(super) fn after(&self, epoch: &EpochPoint) -> Vec<Option<Measured>> {
        let number = |value: Option<f64>| vec![value.map(Measured::from)];
        let all = match self.known().map(|known| known.source) {
            Some(Source::Epoch(read)) => number(read(epoch)),
            Some(Source::Accuracy) => number(epoch.test_accuracy),
            Some(Source::OfLayers(read)) => vec![read(&epoch.layers)],
            Some(Source::Layers(_, read)) => read(&epoch.layers),
            Some(Source::Drift) => Vec::new(),
            None => {
                let values = epoch.series.get(&self.name).map_or(&[][..], |series| &series.values);
                values.iter().copied().map(Some).collect()
            }
        };
        self.chosen(all)
    }

    /// Its values at the end of training, which the audit knows best.
    pub(super) fn at_end(&self, trial: &Trial) -> Vec<Option<Measured>> {
        match self.known().map(|known| known.source) {
            Some(Source::Accuracy) => vec![trial.accuracy().map(Measured::from)],
            Some(Source::OfLayers(read)) => vec![read(&trial.final_layers)],
            Some(Source::Layers(_, read)) => self.chosen(read(&trial.final_layers)),
            Some(Source::Drift) => {
                self.chosen(trial.drift.iter().map(|value| value.map(Measured::from)).collect())
            }
            _ => trial.last().map(|epoch| self.after(epoch)).unwrap_or_default(),
        }
    }

    fn chosen(&self, all: Vec<Option<Measured>>) -> Vec<Option<Measured>> {
        let Some(index) = self.index else { return all };
        let from_end = |back: u64| all.len().checked_sub(usize::try_from(back).ok()?);
        let place = if index < 0 { from_end(index.unsigned_abs()) } else { usize::try_from(index).ok() };
        vec![place.and_then(|place| *all.get(place)?)]
    }
}

/// The series that logs hold, and where each is measured.
fn held(records: &Records) -> BTreeMap<String, At> {
    let last = records.trials.iter().filter_map(Trial::last).flat_map(|epoch| &epoch.series);
    last.map(|(name, series)| (name.clone(), series.at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_from_either_end() {
        let all = || [1.0, 2.0, 3.0].map(|v| Some(Measured::from(v))).to_vec();
        let of = |text: &str| Quantity::parse(text).unwrap().chosen(all());
        assert_eq!(of("hidden"), all());
        assert_eq!((of("hidden[0]"), of("hidden[-1]")), (all()[..1].to_vec(), all()[2..].to_vec()));
        assert_eq!((of("hidden[3]"), of("hidden[-4]")), (vec![None], vec![None]));
        assert_eq!(Quantity::parse("hidden[-1]").unwrap().label(), r"$\|h_L\|$");
        for text in ["hidden[", "hidden[x]", "hidden[1"] {
            assert!(Quantity::parse(text).unwrap_err().contains("hidden[-1] for the last"), "{text}");
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let check = |text: &str| Quantity::parse(text).unwrap().check(&Records::default());
        assert_eq!(check("cosin"), Err("unknown series `cosin`: did you mean `cosine`?".to_owned()));
        assert!(check("zzzzzzzz").unwrap_err().contains("there are cosine, "), "{:?}", check("zzzzzzzz"));
        assert!(check("test_accuracy[0]").unwrap_err().contains("one number"));
        assert_eq!(check("hidden[2]"), Ok(()));
    }
}
