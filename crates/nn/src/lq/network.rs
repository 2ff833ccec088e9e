//! The system as a [`Network`]: forward, costate, nothing to train.

use super::{Lq, LqTape};
use crate::{Layout, Network, Pass, Shape, State, Tape};
use std::ops::Range;
use tensor::{GradientSink, Mat, Panels, Right, add_scaled, matmul};

macro_rules! network {
    ($kind:ident) => {
        impl Network<$kind> for Lq {
            type Tape = LqTape<$kind>;

            fn shape(&self) -> Shape {
                let spec = &self.spec;
                Shape { inputs: spec.inputs(), width: spec.d, blocks: spec.blocks, classes: spec.outputs }
            }

            fn layout(&self) -> &Layout {
                &self.layout
            }

            fn initial(&self, seed: u64) -> Vec<$kind> {
                self.draw(seed)
            }

            fn tape(&self, rows: usize) -> LqTape<$kind> {
                LqTape::new(self, rows)
            }

            fn skip(&self, _block: usize) -> bool {
                true
            }

            fn state(&self, _l: usize) -> State {
                State::flat(self.spec.d)
            }

            fn embed(&self, _params: &[$kind], x: &[$kind], rows: usize, tape: &mut LqTape<$kind>) {
                let (d, outputs) = (self.spec.d, self.spec.outputs);
                tape.rows = rows;
                for (i, x) in x.chunks_exact(self.spec.inputs()).enumerate() {
                    tape.h[0][i * d..(i + 1) * d].copy_from_slice(&x[..d]);
                    tape.target[i * outputs..(i + 1) * outputs].copy_from_slice(&x[d..d + outputs]);
                    for (noise, drawn) in tape.noise.iter_mut().zip(x[d + outputs..].chunks_exact(d)) {
                        let noise = &mut noise[i * d..(i + 1) * d];
                        noise.iter_mut().zip(drawn).for_each(|(n, x)| *n = self.spec.noise as $kind * x);
                    }
                }
            }

            fn block(&self, params: &[$kind], l: usize, tape: &mut LqTape<$kind>) {
                let (rows, d) = (tape.rows, self.spec.d);
                let n = rows * d;
                let (before, after) = tape.h.split_at_mut(l + 1);
                let (h, next) = (&before[l][..n], &mut after[0][..n]);
                let a = Right::Panels(Panels::new(&params[self.dynamics[l].clone()], d, d));
                matmul(next, 1.0, Mat::new(h, rows, d), a);
                add_scaled(next, 1.0, &tape.noise[l][..n]);
                let f = tape.f[l][..n].iter_mut().zip(next.iter().zip(h));
                f.for_each(|(f, (next, h))| *f = next - h);
            }

            fn head(&self, params: &[$kind], tape: &mut LqTape<$kind>) {
                let (rows, d, outputs) = (tape.rows, self.spec.d, self.spec.outputs);
                let c = Right::Panels(Panels::new(&params[self.cost.clone()], d, outputs));
                let out = &mut tape.logits[..rows * outputs];
                matmul(out, 1.0, Mat::new(&tape.h[self.spec.blocks][..rows * d], rows, d), c);
                add_scaled(out, -1.0, &tape.target[..rows * outputs]);
            }

            fn judge(&self, tape: &mut LqTape<$kind>, _labels: &[u8], losses: &mut [$kind]) {
                let (e, z) = tape.error_mut();
                e.copy_from_slice(z);
                for (loss, z) in losses.iter_mut().zip(z.chunks_exact(self.spec.outputs)) {
                    *loss = 0.5 * z.iter().map(|z| z * z).sum::<$kind>();
                }
            }

            fn classifies(&self) -> bool {
                false
            }

            fn head_vjp(&self, params: &[$kind], tape: &mut LqTape<$kind>, below: &mut [$kind]) {
                let (d, outputs) = (self.spec.d, self.spec.outputs);
                let c = Right::Turned(Panels::new(&params[self.cost.clone()], d, outputs));
                matmul(below, 1.0, Mat::new(tape.error(), tape.rows, outputs), c);
            }

            fn branch_vjp(
                &self,
                params: &[$kind],
                block: usize,
                tape: &mut LqTape<$kind>,
                below: Option<&mut [$kind]>,
            ) {
                let (rows, d) = (tape.rows, self.spec.d);
                let Some(below) = below else { return };
                let a = Right::Turned(Panels::new(&params[self.dynamics[block].clone()], d, d));
                let signal = &tape.signals[block + 1][..rows * d];
                matmul(below, 1.0, Mat::new(signal, rows, d), a);
                // The branch is A − I.
                add_scaled(below, -1.0, signal);
            }

            fn stretches(&self) -> Vec<(Range<usize>, f64)> {
                Vec::new()
            }

            fn gradient(
                &self,
                _passes: &[Pass<'_, $kind, LqTape<$kind>>],
                _scale: $kind,
                _stretch: Range<usize>,
                _fate: GradientSink<'_, $kind>,
            ) {
            }
        }
    };
}
network!(f32);
network!(f64);
