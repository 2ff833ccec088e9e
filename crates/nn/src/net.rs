//! Any of the networks, for callers that learn only from a recipe which one it is.

use crate::{
    Layout, Lq, LqTape, Mlp, MlpTape, Network, Pass, Resnet, ResnetTape, Shape, State, Tape, Vit, VitTape,
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

/// Its tape.
#[expect(clippy::large_enum_variant, reason = "a run has a few of them, each with megabytes behind it")]
#[derive(Clone, Debug)]
pub enum NetTape<T> {
    /// Of a perceptron.
    Mlp(MlpTape<T>),
    /// Of a transformer.
    Vit(VitTape<T>),
    /// Of a convolutional network.
    Resnet(ResnetTape<T>),
    /// Of a linear-quadratic system.
    Lq(LqTape<T>),
}

macro_rules! from {
    ($kind:ident) => {
        impl From<$kind> for Net {
            fn from(net: $kind) -> Self {
                Self::$kind(net)
            }
        }
    };
}
from!(Mlp);
from!(Vit);
from!(Resnet);
from!(Lq);

/// The same call, whichever network it is.
macro_rules! of_net {
    ($self:expr, $net:ident => $call:expr) => {
        match $self {
            Net::Mlp($net) => $call,
            Net::Vit($net) => $call,
            Net::Resnet($net) => $call,
            Net::Lq($net) => $call,
        }
    };
}

/// The same call, whichever tape it is.
macro_rules! of_tape {
    ($self:expr, $tape:ident => $call:expr) => {
        match $self {
            NetTape::Mlp($tape) => $call,
            NetTape::Vit($tape) => $call,
            NetTape::Resnet($tape) => $call,
            NetTape::Lq($tape) => $call,
        }
    };
}

/// The same call, whichever network and its tape.
macro_rules! of_both {
    ($self:expr, $both:expr, $net:ident, $tape:ident => $call:expr) => {
        match ($self, $both) {
            (Net::Mlp($net), NetTape::Mlp($tape)) => $call,
            (Net::Vit($net), NetTape::Vit($tape)) => $call,
            (Net::Resnet($net), NetTape::Resnet($tape)) => $call,
            (Net::Lq($net), NetTape::Lq($tape)) => $call,
            _ => unreachable!("a tape belongs to its network"),
        }
    };
}

/// The same call, whichever network and the passes of its tapes.
macro_rules! of_passes {
    ($self:expr, $all:expr, $net:ident, $passes:ident => $call:expr) => {
        match $self {
            Net::Mlp($net) => {
                let $passes: Vec<_> = $all.iter().map(|pass| own!(pass, Mlp)).collect();
                $call
            }
            Net::Vit($net) => {
                let $passes: Vec<_> = $all.iter().map(|pass| own!(pass, Vit)).collect();
                $call
            }
            Net::Resnet($net) => {
                let $passes: Vec<_> = $all.iter().map(|pass| own!(pass, Resnet)).collect();
                $call
            }
            Net::Lq($net) => {
                let $passes: Vec<_> = $all.iter().map(|pass| own!(pass, Lq)).collect();
                $call
            }
        }
    };
}

macro_rules! own {
    ($pass:expr, $kind:ident) => {{
        let NetTape::$kind(tape) = $pass.tape else { unreachable!("a tape belongs to its network") };
        Pass { x: $pass.x, tape }
    }};
}

impl<T: Float> Tape<T> for NetTape<T> {
    fn rows(&self) -> usize {
        of_tape!(self, tape => tape.rows())
    }
    fn place(&mut self, l: usize, h: &[T]) {
        of_tape!(self, tape => tape.place(l, h));
    }
    fn set_training(&mut self, training: bool) {
        of_tape!(self, tape => tape.set_training(training));
    }
    fn hidden(&self, l: usize) -> &[T] {
        of_tape!(self, tape => tape.hidden(l))
    }
    fn branch(&self, l: usize) -> &[T] {
        of_tape!(self, tape => tape.branch(l))
    }
    fn logits(&self) -> &[T] {
        of_tape!(self, tape => tape.logits())
    }
    fn signal_mut(&mut self, l: usize) -> (&mut [T], &[T]) {
        of_tape!(self, tape => tape.signal_mut(l))
    }
    fn error(&self) -> &[T] {
        of_tape!(self, tape => tape.error())
    }
    fn error_mut(&mut self) -> (&mut [T], &[T]) {
        of_tape!(self, tape => tape.error_mut())
    }
}

macro_rules! network {
    ($kind:ident) => {
        impl Network<$kind> for Net {
            type Tape = NetTape<$kind>;

            fn shape(&self) -> Shape {
                of_net!(self, net => Network::<$kind>::shape(net))
            }

            fn layout(&self) -> &Layout {
                of_net!(self, net => Network::<$kind>::layout(net))
            }

            fn initial(&self, seed: u64) -> Vec<$kind> {
                of_net!(self, net => net.initial(seed))
            }

            fn tape(&self, rows: usize) -> NetTape<$kind> {
                match self {
                    Net::Mlp(net) => NetTape::Mlp(Network::<$kind>::tape(net, rows)),
                    Net::Vit(net) => NetTape::Vit(Network::<$kind>::tape(net, rows)),
                    Net::Resnet(net) => NetTape::Resnet(Network::<$kind>::tape(net, rows)),
                    Net::Lq(net) => NetTape::Lq(Network::<$kind>::tape(net, rows)),
                }
            }

            fn skip(&self, block: usize) -> bool {
                of_net!(self, net => Network::<$kind>::skip(net, block))
            }

            fn state(&self, l: usize) -> State {
                of_net!(self, net => Network::<$kind>::state(net, l))
            }

            fn embed(&self, params: &[$kind], x: &[$kind], rows: usize, tape: &mut NetTape<$kind>) {
                of_both!(self, tape, net, tape => net.embed(params, x, rows, tape));
            }

            fn block(&self, params: &[$kind], l: usize, tape: &mut NetTape<$kind>) {
                of_both!(self, tape, net, tape => net.block(params, l, tape));
            }

            fn head(&self, params: &[$kind], tape: &mut NetTape<$kind>) {
                of_both!(self, tape, net, tape => net.head(params, tape));
            }

            fn judge(&self, tape: &mut NetTape<$kind>, labels: &[u8], losses: &mut [$kind]) {
                of_both!(self, tape, net, tape => net.judge(tape, labels, losses));
            }

            fn classifies(&self) -> bool {
                of_net!(self, net => Network::<$kind>::classifies(net))
            }

            fn couples_samples(&self) -> bool {
                of_net!(self, net => Network::<$kind>::couples_samples(net))
            }

            fn take_statistics(&self, params: &mut [$kind], passes: &[Pass<'_, $kind, NetTape<$kind>>]) {
                of_passes!(self, passes, net, own => net.take_statistics(params, &own));
            }

            fn head_vjp(&self, params: &[$kind], tape: &mut NetTape<$kind>, below: &mut [$kind]) {
                of_both!(self, tape, net, tape => net.head_vjp(params, tape, below));
            }

            fn branch_vjp(
                &self,
                params: &[$kind],
                block: usize,
                tape: &mut NetTape<$kind>,
                below: Option<&mut [$kind]>,
            ) {
                of_both!(self, tape, net, tape => net.branch_vjp(params, block, tape, below));
            }

            fn stretches(&self) -> Vec<(Range<usize>, f64)> {
                of_net!(self, net => Network::<$kind>::stretches(net))
            }

            fn gradient(
                &self,
                passes: &[Pass<'_, $kind, NetTape<$kind>>],
                scale: $kind,
                stretch: Range<usize>,
                sink: GradientSink<'_, $kind>,
            ) {
                of_passes!(self, passes, net, own => net.gradient(&own, scale, stretch, sink));
            }
        }
    };
}
network!(f32);
network!(f64);
