//! The quantities that the program knows by name; logs may hold others.

use crate::catalogue::{Convention, meaning};
use crate::reader::{EpochPoint, Layers, Norms};
use record::series::{self, At, Scale};
use record::{Measured, Why};

/// How a listed quantity is read.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// One number after each epoch.
    Epoch(fn(&EpochPoint) -> Option<f64>),
    /// The accuracy on the test set, which audits know too.
    Accuracy,
    /// One number that sums up the layers, after an epoch or at the end.
    OfLayers(fn(&Layers) -> Option<Measured>),
    /// One number by layer, after an epoch or at the end.
    Layers(At, fn(&Layers) -> Vec<Option<Measured>>),
    /// How far each block's first matrix went, known at the end alone.
    Drift,
}

/// A quantity that the program knows.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) scale: Scale,
    pub(super) source: Source,
}

const fn known(name: &'static str, label: &'static str, scale: Scale, source: Source) -> Known {
    Known { name, label, scale, source }
}

/// The mean cosine where credit acts, unreliable if that of one unit is.
fn gamma(layers: &Layers) -> Option<Measured> {
    let mean = layers.gamma.here;
    let is_whole = mean.units == mean.of;
    mean.all.map(|value| match is_whole {
        true => Measured::Defined { value },
        false => Measured::Unreliable { value, why: Why::ReferenceBelowFloor },
    })
}

fn norms(norms: &Norms) -> Vec<Option<Measured>> {
    norms.by_layer().iter().map(|norm| norm.map(Measured::from)).collect()
}

/// Every quantity that the program knows.
pub(super) const TABLE: [Known; 16] = [
    known(meaning::TEST_ACCURACY, "Test accuracy", Scale::Linear, Source::Accuracy),
    known(meaning::TRAIN_ACCURACY, "Train accuracy", Scale::Linear, Source::Epoch(|e| e.train_accuracy)),
    known("train_loss", "Train loss", Scale::Linear, Source::Epoch(|e| e.train_loss)),
    known(
        meaning::STATE_ERROR,
        "Relative error of predicting $h_L$",
        Scale::Log,
        Source::Epoch(|e| e.state_error),
    ),
    known("error", r"$\|e_T\|$", Scale::Log, Source::Epoch(|e| e.error)),
    known(meaning::GROWTH, "Largest growth of a block", Scale::Log, Source::Epoch(|e| e.growth)),
    known("gamma", r"Mean cosine $\Gamma$", Scale::Linear, Source::OfLayers(gamma)),
    known(
        series::HIDDEN.name,
        series::HIDDEN.label,
        Scale::Log,
        Source::Layers(At::State, |l| norms(&l.hidden)),
    ),
    known(
        series::GRADIENT.name,
        series::GRADIENT.label,
        Scale::Log,
        Source::Layers(At::State, |l| norms(&l.gradient)),
    ),
    known(
        series::COSINE.name,
        Convention::Credit.cosine_label(),
        Scale::Linear,
        Source::Layers(At::Unit, |l| l.cosine.clone()),
    ),
    known(
        series::COSINE_AT_INPUT.name,
        Convention::Input.cosine_label(),
        Scale::Linear,
        Source::Layers(At::BlockInput, |l| l.cosine_at_input.clone()),
    ),
    known(meaning::RHO, r"$\rho$", Scale::Linear, Source::Layers(At::Unit, |l| l.rho.clone())),
    known(
        meaning::RHO_AT_INPUT,
        r"$\rho_l$",
        Scale::Linear,
        Source::Layers(At::BlockInput, |l| l.rho_at_input.clone()),
    ),
    known(
        meaning::NUDGE,
        r"Change in loss, $\eta{=}0.01$",
        Scale::Linear,
        Source::Layers(At::Unit, |l| l.nudge.clone()),
    ),
    known(
        meaning::NUDGE_AT_INPUT,
        r"Change in loss, $\eta{=}0.01$",
        Scale::Linear,
        Source::Layers(At::BlockInput, |l| l.nudge_at_input.clone()),
    ),
    known(
        meaning::DRIFT,
        r"$\|W_{\mathrm{final}}-W_{\mathrm{init}}\|/\|W_{\mathrm{init}}\|$",
        Scale::Linear,
        Source::Drift,
    ),
];
