//! The perceptron as a [`Network`], once for each number type, so that its loops are compiled here and nowhere else.

use super::{Mlp, MlpTape};
use crate::{Layout, Network, Pass, Shape, State};
use std::ops::Range;
use tensor::GradientSink;

macro_rules! network {
    ($kind:ident) => {
        impl Network<$kind> for Mlp {
            type Tape = MlpTape<$kind>;

            fn shape(&self) -> Shape {
                let spec = &self.spec;
                Shape { inputs: spec.inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
            }

            fn layout(&self) -> &Layout {
                &self.layout
            }

            fn initial(&self, seed: u64) -> Vec<$kind> {
                self.draw(seed)
            }

            fn tape(&self, rows: usize) -> MlpTape<$kind> {
                MlpTape::new(self, rows)
            }

            fn skip(&self, _block: usize) -> bool {
                self.spec.skip
            }

            fn state(&self, _l: usize) -> State {
                State::flat(self.spec.d)
            }

            fn embed(&self, params: &[$kind], x: &[$kind], rows: usize, tape: &mut MlpTape<$kind>) {
                self.read_in(params, x, rows, tape);
            }

            fn block(&self, params: &[$kind], l: usize, tape: &mut MlpTape<$kind>) {
                self.through_block(params, l, tape);
            }

            fn head(&self, params: &[$kind], tape: &mut MlpTape<$kind>) {
                self.read_out(params, tape);
            }

            fn head_vjp(&self, params: &[$kind], tape: &mut MlpTape<$kind>, below: &mut [$kind]) {
                self.through_head(params, tape, below);
            }

            fn branch_vjp(
                &self,
                params: &[$kind],
                block: usize,
                tape: &mut MlpTape<$kind>,
                below: Option<&mut [$kind]>,
            ) {
                self.through_branch(params, block, tape, below);
            }

            fn stretches(&self) -> Vec<(Range<usize>, f64)> {
                self.cut()
            }

            fn gradient(
                &self,
                passes: &[Pass<'_, $kind, MlpTape<$kind>>],
                scale: $kind,
                stretch: Range<usize>,
                sink: GradientSink<'_, $kind>,
            ) {
                self.take_gradient(passes, scale, stretch, sink);
            }
        }
    };
}
network!(f32);
network!(f64);
