//! The transformer as a [`Network`], once for each number type, so that its loops are compiled here and nowhere else.

use super::{Vit, VitTape};
use crate::{Layout, Network, Pass, Shape, State};
use std::ops::Range;
use tensor::GradientSink;

macro_rules! network {
    ($kind:ident) => {
        impl Network<$kind> for Vit {
            type Tape = VitTape<$kind>;

            fn shape(&self) -> Shape {
                let spec = &self.spec;
                let inputs = spec.channels * spec.height * spec.width;
                Shape { inputs, width: spec.d, blocks: spec.blocks, classes: spec.classes }
            }

            fn layout(&self) -> &Layout {
                &self.layout
            }

            fn initial(&self, seed: u64) -> Vec<$kind> {
                self.draw(seed)
            }

            fn tape(&self, rows: usize) -> VitTape<$kind> {
                VitTape::new(self, rows)
            }

            fn skip(&self, _block: usize) -> bool {
                true
            }

            fn state(&self, _l: usize) -> State {
                State { positions: self.tokens(), features: self.spec.d, reached: 1 }
            }

            fn embed(&self, params: &[$kind], x: &[$kind], rows: usize, tape: &mut VitTape<$kind>) {
                self.read_in(params, x, rows, tape);
            }

            fn block(&self, params: &[$kind], l: usize, tape: &mut VitTape<$kind>) {
                self.through_block(params, l, tape);
            }

            fn head(&self, params: &[$kind], tape: &mut VitTape<$kind>) {
                self.read_out(params, tape);
            }

            fn head_vjp(&self, params: &[$kind], tape: &mut VitTape<$kind>, below: &mut [$kind]) {
                self.through_head(params, tape, below);
            }

            fn branch_vjp(
                &self,
                params: &[$kind],
                block: usize,
                tape: &mut VitTape<$kind>,
                below: Option<&mut [$kind]>,
            ) {
                self.through_branch(params, block, tape, below);
            }

            fn stretches(&self) -> Vec<(Range<usize>, f64)> {
                self.cut()
            }

            fn gradient(
                &self,
                passes: &[Pass<'_, $kind, VitTape<$kind>>],
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
