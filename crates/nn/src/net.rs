//! Any of the networks, chosen at run time.
//!
//! [`Net`] is a [`Network`] for f32 and f64, not for a generic number type, so that the loops of all networks are compiled
//! in this crate and nowhere else.

use crate::lq::LqTape;
use crate::mlp::MlpTape;
use crate::{
    Architecture, ForwardDifference, Layout, Lq, Mlp, Network, Pass, Resnet, ResnetTape, Shape, State,
    States, Tape, Vit, VitTape,
};
use std::ops::Range;
use tensor::{Float, GradientSink};

/// A network of any kind.
#[derive(Clone, Debug)]
pub enum Net {
    /// The perceptrons `resmlp` and `student`.
    Mlp(Mlp),
    /// The transformer `vit`.
    Vit(Vit),
    /// The convolutional `resnet`.
    Resnet(Resnet),
    /// The linear-quadratic system.
    Lq(Lq),
}

macro_rules! from {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Net {
            fn from(net: $kind) -> Self {
                Self::$kind(net)
            }
        }
    )*};
}
from!(Mlp Vit Resnet Lq);

/// The tape of a [`Net`].
#[expect(clippy::large_enum_variant, reason = "a run has a few of them, each with megabytes behind it")]
#[derive(Clone, Debug)]
pub enum NetTape<T> {
    /// A perceptron's.
    Mlp(MlpTape<T>),
    /// A transformer's.
    Vit(VitTape<T>),
    /// A convolutional network's.
    Resnet(ResnetTape<T>),
    /// A linear-quadratic system's.
    Lq(LqTape<T>),
}

impl<T: Float> Tape<T> for NetTape<T> {
    fn states(&self) -> &States<T> {
        match self {
            Self::Mlp(tape) => &tape.states,
            Self::Vit(tape) => &tape.states,
            Self::Resnet(tape) => &tape.states,
            Self::Lq(tape) => &tape.states,
        }
    }

    fn states_mut(&mut self) -> &mut States<T> {
        match self {
            Self::Mlp(tape) => &mut tape.states,
            Self::Vit(tape) => &mut tape.states,
            Self::Resnet(tape) => &mut tape.states,
            Self::Lq(tape) => &mut tape.states,
        }
    }
}

const MISMATCH: &str = "a tape belongs to its network";

/// The passes with tapes of one kind.
fn passes_of<'a, T, K>(
    passes: &[Pass<'a, T, NetTape<T>>],
    kind: impl Fn(&'a NetTape<T>) -> Option<&'a K>,
) -> Vec<Pass<'a, T, K>> {
    passes.iter().map(|pass| Pass { x: pass.x, tape: kind(pass.tape).expect(MISMATCH) }).collect()
}

/// The same call for every kind of network: alone, with its tape, or with its passes.
macro_rules! each {
    ($self:expr, |$net:ident| $call:expr) => {
        match $self {
            Net::Mlp($net) => $call,
            Net::Vit($net) => $call,
            Net::Resnet($net) => $call,
            Net::Lq($net) => $call,
        }
    };
    ($self:expr, tape $tape:expr, |$net:ident, $own:ident| $call:expr) => {
        match ($self, $tape) {
            (Net::Mlp($net), NetTape::Mlp($own)) => $call,
            (Net::Vit($net), NetTape::Vit($own)) => $call,
            (Net::Resnet($net), NetTape::Resnet($own)) => $call,
            (Net::Lq($net), NetTape::Lq($own)) => $call,
            _ => panic!("{MISMATCH}"),
        }
    };
    ($self:expr, passes $passes:expr, |$net:ident, $own:ident| $call:expr) => {
        each!($self, passes $passes, |$net, $own| $call, Mlp Vit Resnet Lq)
    };
    ($self:expr, passes $passes:expr, |$net:ident, $own:ident| $call:expr, $($kind:ident)*) => {
        match $self {
            $(Net::$kind($net) => {
                let $own =
                    passes_of($passes, |tape| if let NetTape::$kind(tape) = tape { Some(tape) } else { None });
                $call
            })*
        }
    };
}

impl Architecture for Net {
    fn shape(&self) -> Shape {
        each!(self, |net| net.shape())
    }

    fn layout(&self) -> &Layout {
        each!(self, |net| net.layout())
    }

    fn state(&self, l: usize) -> State {
        each!(self, |net| net.state(l))
    }

    fn skip(&self, block: usize) -> bool {
        each!(self, |net| net.skip(block))
    }

    fn classifies(&self) -> bool {
        each!(self, |net| net.classifies())
    }

    fn couples_samples(&self) -> bool {
        each!(self, |net| net.couples_samples())
    }

    fn parameter_ranges(&self) -> Vec<(Range<usize>, f64)> {
        each!(self, |net| net.parameter_ranges())
    }

    fn forward_difference<'a>(&'a self, params: &'a [f64]) -> Option<Box<dyn ForwardDifference + 'a>> {
        each!(self, |net| net.forward_difference(params))
    }
}

macro_rules! network {
    ($float:ident) => {
        impl Network<$float> for Net {
            type Tape = NetTape<$float>;

            fn initial(&self, seed: u64) -> Vec<$float> {
                each!(self, |net| net.initial(seed))
            }

            fn tape(&self, rows: usize) -> NetTape<$float> {
                match self {
                    Net::Mlp(net) => NetTape::Mlp(net.tape(rows)),
                    Net::Vit(net) => NetTape::Vit(net.tape(rows)),
                    Net::Resnet(net) => NetTape::Resnet(net.tape(rows)),
                    Net::Lq(net) => NetTape::Lq(net.tape(rows)),
                }
            }

            fn embed(&self, params: &[$float], x: &[$float], rows: usize, tape: &mut NetTape<$float>) {
                each!(self, tape tape, |net, own| net.embed(params, x, rows, own));
            }

            fn block(&self, params: &[$float], l: usize, tape: &mut NetTape<$float>) {
                each!(self, tape tape, |net, own| net.block(params, l, own));
            }

            fn head(&self, params: &[$float], tape: &mut NetTape<$float>) {
                each!(self, tape tape, |net, own| net.head(params, own));
            }

            fn loss(&self, tape: &mut NetTape<$float>, labels: &[u8], losses: &mut [$float]) {
                each!(self, tape tape, |net, own| net.loss(own, labels, losses));
            }

            fn take_statistics(&self, params: &mut [$float], passes: &[Pass<'_, $float, NetTape<$float>>]) {
                each!(self, passes passes, |net, own| net.take_statistics(params, &own));
            }

            fn head_vjp(&self, params: &[$float], tape: &mut NetTape<$float>, below: &mut [$float]) {
                each!(self, tape tape, |net, own| net.head_vjp(params, own, below));
            }

            fn branch_vjp(
                &self,
                params: &[$float],
                block: usize,
                tape: &mut NetTape<$float>,
                below: Option<&mut [$float]>,
            ) {
                each!(self, tape tape, |net, own| net.branch_vjp(params, block, own, below));
            }

            fn gradient(
                &self,
                passes: &[Pass<'_, $float, NetTape<$float>>],
                scale: $float,
                range: Range<usize>,
                sink: GradientSink<'_, $float>,
            ) {
                each!(self, passes passes, |net, own| net.gradient(&own, scale, range, sink));
            }
        }
    };
}
network!(f32);
network!(f64);
