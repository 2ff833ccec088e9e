//! Evaluations as logs hold them: with named series, or with a field for each list, as before lines named their schema.

use crate::number;
use crate::series::{COSINE, COSINE_AT_INPUT, CREDIT, GRADIENT, HIDDEN, Quantity, Series, Values};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Either form.
#[derive(Deserialize)]
pub(crate) struct Evaluation {
    samples: u64,
    #[serde(with = "number")]
    error: f64,
    #[serde(with = "number")]
    growth: f64,
    series: Option<BTreeMap<String, Series>>,
    #[serde(default, with = "number::entries")]
    notes: BTreeMap<String, f64>,
    hidden: Option<Values>,
    gradient: Option<Values>,
    credit: Option<Values>,
    cosine: Option<Values>,
    #[serde(alias = "cosine_paper")]
    cosine_at_input: Option<Values>,
}

impl TryFrom<Evaluation> for crate::Evaluation {
    type Error = String;

    fn try_from(read: Evaluation) -> Result<Self, String> {
        let Evaluation { samples, error, growth, notes, .. } = read;
        let named = |(quantity, values): (Quantity, Option<Values>)| {
            let Values(values) = values.ok_or_else(|| format!("missing field `{}`", quantity.name))?;
            Ok::<_, String>(quantity.series(values))
        };
        let lists = [
            (HIDDEN, read.hidden),
            (GRADIENT, read.gradient),
            (CREDIT, read.credit),
            (COSINE, read.cosine),
            (COSINE_AT_INPUT, read.cosine_at_input),
        ];
        let series = match read.series {
            Some(series) => series,
            None => lists.into_iter().map(named).collect::<Result<_, _>>()?,
        };
        Ok(Self { samples, error, growth, series, notes })
    }
}
