//! What is measured layer by layer, by name. A log may hold series that this program does not know: they are read,
//! listed and drawn by their names.

use crate::{Measured, number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the values of a series are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// At the states h_0, …, h_L.
    State,
    /// At the output of each unit, where its credit acts: the embedding, block 0, …, block L−1.
    Unit,
    /// At the input of each block, h_0, …, h_{L−1}: the paper's convention.
    BlockInput,
}

impl At {
    /// The index of the unit that value `index` belongs to, counted from the embedding: a block owns what is measured at its input.
    pub fn unit(self, index: usize) -> usize {
        index + usize::from(self == Self::BlockInput)
    }

    /// The index of the value that belongs to a unit, if there is one: the embedding has no state as its input.
    pub fn index(self, unit: usize) -> Option<usize> {
        unit.checked_sub(usize::from(self == Self::BlockInput))
    }
}

/// One number for each layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Where they are measured.
    pub at: At,
    /// From the bottom of the network up. A plain number is a defined one, and may be infinite or NaN.
    #[serde(with = "values")]
    pub values: Vec<Measured>,
}

impl Series {
    /// The value that belongs to a unit, counted from the embedding.
    pub fn of_unit(&self, unit: usize) -> Option<Measured> {
        self.values.get(self.at.index(unit)?).copied()
    }
}

/// How a series is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Over orders of magnitude.
    Log,
    /// In even steps.
    Linear,
}

/// A series that this program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name in logs, tables and options.
    pub name: &'static str,
    /// Where it is measured.
    pub at: At,
    /// Head of its column.
    pub heading: &'static str,
    /// Label of its axis.
    pub label: &'static str,
    /// Scale of its axis.
    pub scale: Scale,
    /// What it is, in a sentence.
    pub meaning: &'static str,
}

impl Quantity {
    /// An entry of [`Evaluation::series`](crate::Evaluation::series).
    pub fn series<V: Into<Measured>>(&self, values: impl IntoIterator<Item = V>) -> (String, Series) {
        let values = values.into_iter().map(Into::into).collect();
        (self.name.to_owned(), Series { at: self.at, values })
    }
}

/// Norms of states.
pub const HIDDEN: Quantity = Quantity {
    name: "hidden",
    at: At::State,
    heading: "‖h‖",
    label: r"$\|h_l\|$",
    scale: Scale::Log,
    meaning: "Median over samples of the norm of the state h_l.",
};

/// Norms of gradients.
pub const GRADIENT: Quantity = Quantity {
    name: "gradient",
    at: At::State,
    heading: "‖p‖",
    label: r"$\|p_l\|$",
    scale: Scale::Log,
    meaning: "Median over samples of the norm of p_l, the gradient of each sample's own loss at h_l. The gradient of the \
              mean over N samples is this divided by N.",
};

/// Norms of credit.
pub const CREDIT: Quantity = Quantity {
    name: "credit",
    at: At::Unit,
    heading: "‖a‖",
    label: r"$\|a_l\|$",
    scale: Scale::Log,
    meaning: "Median over samples of the norm of the rule's raw credit where it acts.",
};

/// Cosines where credit acts.
pub const COSINE: Quantity = Quantity {
    name: "cosine",
    at: At::Unit,
    heading: "cosine",
    label: r"$\cos(a_l, p_l)$",
    scale: Scale::Linear,
    meaning: "Mean over samples of the cosine of the credit with p where the credit acts.",
};

/// Cosines at the input of blocks.
pub const COSINE_AT_INPUT: Quantity = Quantity {
    name: "cosine_at_input",
    at: At::BlockInput,
    heading: "cosine_at_input",
    label: r"$\cos(a_l, p_l)$ at the input",
    scale: Scale::Linear,
    meaning: "Mean over samples of the cosine of block l's credit with p_l at the block's input, as in the paper.",
};

/// Over how many directions a state spreads.
pub const PARTICIPATION_RATIO: Quantity = Quantity {
    name: "participation_ratio",
    at: At::State,
    heading: "PR",
    label: r"$\mathrm{PR}(h_l)$",
    scale: Scale::Log,
    meaning: "(Σλ)²/Σλ² of the eigenvalues λ of h_l's covariance over samples: how many directions it spreads over. At \
              most one less than the samples, which are the first 2,097,152/features of those evaluated.",
};

/// Cosines of parameter gradients.
pub const UPDATE_COSINE: Quantity = Quantity {
    name: "update_cosine",
    at: At::Unit,
    heading: "update_cosine",
    label: r"$\cos(\hat{g}_{\theta}, g_{\theta})$",
    scale: Scale::Linear,
    meaning: "Cosine of what the rule hands to the optimiser for a unit's parameters, without the penalty, with the true \
              gradient of the mean loss, both over the first train.batch evaluation samples.",
};

/// Angles between feedback and forward weights.
pub const FEEDBACK_ANGLE: Quantity = Quantity {
    name: "feedback_angle",
    at: At::Unit,
    heading: "feedback_angle",
    label: "angle, degrees",
    scale: Scale::Linear,
    meaning: "Angle in degrees between feedback and forward weights: of each block where credit goes through other \
              weights, of the last block if direct feedback replaces the head's weight.",
};

/// Every series that this program knows, in the order of tables.
pub const TABLE: [Quantity; 8] =
    [HIDDEN, GRADIENT, CREDIT, COSINE, COSINE_AT_INPUT, PARTICIPATION_RATIO, UPDATE_COSINE, FEEDBACK_ANGLE];

/// The series of that name, if this program knows it.
pub fn find(name: &str) -> Option<&'static Quantity> {
    TABLE.iter().find(|quantity| quantity.name == name)
}

/// The names of `series`: those of the table in its order, then the others by the alphabet.
pub fn in_order(series: &BTreeMap<String, Series>) -> Vec<&str> {
    let mut names: Vec<&str> = series.keys().map(String::as_str).collect();
    names.sort_by_key(|name| TABLE.iter().position(|quantity| quantity.name == *name).unwrap_or(TABLE.len()));
    names
}

/// Values as they are written: what is defined is the number alone.
#[derive(Deserialize)]
#[serde(from = "Vec<Written>")]
pub(crate) struct Values(pub(crate) Vec<Measured>);

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a value is a number, \"inf\", \"-inf\", \"nan\", or has a `state`")]
enum Written {
    Number(#[serde(with = "number")] f64),
    Measured(Measured),
}

impl From<Vec<Written>> for Values {
    fn from(written: Vec<Written>) -> Self {
        let read = |written| match written {
            Written::Number(value) => Measured::Defined { value },
            Written::Measured(measured) => measured,
        };
        Self(written.into_iter().map(read).collect())
    }
}

mod values {
    use super::{Measured, Values, Written};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(values: &[Measured], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|&measured| match measured {
            Measured::Defined { value } => Written::Number(value),
            doubtful => Written::Measured(doubtful),
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Measured>, D::Error> {
        Values::deserialize(deserializer).map(|values| values.0)
    }
}
