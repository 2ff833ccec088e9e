//! Where credit is compared with the gradient: where it acts, or at the input of its block, as published.

use super::meaning;
use super::request::Request;
use crate::plot::{Axis, Says};
use crate::reader::{Layers, Trial};
use record::audit::{Evidence, GammaMean, UnitAudit};
use record::series::At;
use record::{Measured, Unit};

/// The place of the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// At the output of each unit, where its credit acts: backpropagation has a cosine of 1.
    #[default]
    Credit,
    /// At the input of each block, as published: backpropagation stays below 1.
    Input,
}

/// Series by layer, in either convention.
const SERIES: [[&str; 2]; 3] = [
    [meaning::COSINE, meaning::COSINE_AT_INPUT],
    [meaning::RHO, meaning::RHO_AT_INPUT],
    [meaning::NUDGE, meaning::NUDGE_AT_INPUT],
];

impl Convention {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Credit, Self::Input];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Input => "input",
        }
    }

    /// Where its values are measured.
    pub fn at(self) -> At {
        match self {
            Self::Credit => At::Unit,
            Self::Input => At::BlockInput,
        }
    }

    /// The series of this convention that goes with `series`, if there are two.
    pub(super) fn series(self, series: &str) -> Option<&'static str> {
        SERIES.iter().find(|pair| pair.contains(&series)).map(|pair| pair[self as usize])
    }

    /// The quantity of cosines.
    pub fn cosine_series(self) -> &'static str {
        SERIES[0][self as usize]
    }

    /// The quantity of ρ.
    pub fn rho_series(self) -> &'static str {
        SERIES[1][self as usize]
    }

    /// Cosines by layer.
    pub fn cosine(self, layers: &Layers) -> &[Option<Measured>] {
        match self {
            Self::Credit => &layers.cosine,
            Self::Input => &layers.cosine_at_input,
        }
    }

    /// ρ by layer.
    pub fn rho(self, layers: &Layers) -> &[Option<Measured>] {
        match self {
            Self::Credit => &layers.rho,
            Self::Input => &layers.rho_at_input,
        }
    }

    /// The mean cosine.
    pub(super) fn gamma(self, layers: &Layers) -> GammaMean {
        match self {
            Self::Credit => layers.gamma.here,
            Self::Input => layers.gamma.at_input,
        }
    }

    /// What an audit found at a unit.
    pub fn evidence(self, unit: &UnitAudit) -> Option<&Evidence> {
        match self {
            Self::Credit => unit.here.as_ref(),
            Self::Input => unit.at_input.as_ref(),
        }
    }

    /// Label source of a cosine by layer.
    pub const fn cosine_label(self) -> &'static str {
        match self {
            Self::Credit => r"$\cos(a_l,\, g_{l+1})$",
            Self::Input => r"$\cos(a_l,\, g_l)$",
        }
    }

    /// What a foot says of it, as label source.
    pub fn words(self) -> &'static str {
        match self {
            Self::Credit => "credit against the gradient where it acts, the output of its unit",
            Self::Input => "credit of block $l$ against the gradient at its input $h_l$, as published",
        }
    }

    /// The name of the layer of value `index`: `embed`, or the number of a block.
    pub fn place(self, index: usize) -> String {
        match Unit::at(self.at().unit(index)) {
            Unit::Embed => Unit::Embed.to_string(),
            Unit::Block(block) => block.to_string(),
        }
    }

    /// The axis of `count` layers.
    pub fn axis(self, count: usize) -> Axis {
        match self {
            Self::Credit => {
                let names = (0..count).map(|index| self.place(index));
                Axis { says: Says::Unit, ..Axis::categories("Unit: embedding, block $l$", names) }
            }
            Self::Input => Axis::layers("Block $l$", Says::Unit),
        }
    }
}

impl Request {
    /// The convention of a figure of these trials: the one that was asked for; else the published one beside published
    /// values or where the records hold nothing else; else where credit acts.
    pub fn convention<'a>(
        &self,
        trials: impl IntoIterator<Item = &'a Trial>,
        beside_published: bool,
    ) -> Convention {
        let published = beside_published && self.published.is_some();
        let wanted =
            self.convention.unwrap_or(if published { Convention::Input } else { Convention::Credit });
        let mut other = false;
        for trial in trials {
            let holds = |convention: Convention| !convention.cosine(&trial.final_layers).is_empty();
            if holds(wanted) {
                return wanted;
            }
            other |= Convention::ALL.into_iter().any(holds);
        }
        match wanted {
            Convention::Credit if other => Convention::Input,
            Convention::Input if other => Convention::Credit,
            wanted => wanted,
        }
    }
}
