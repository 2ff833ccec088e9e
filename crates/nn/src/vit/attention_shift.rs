//! The difference of attention.
//!
//! With shifts ΔQ, ΔK, ΔV the scores shift by (ΔQ·(K + ΔK)ᵀ + Q·ΔKᵀ)/√features, their softmax P by ΔP as a softmax does, and
//! the output by ΔP·(V + ΔV) + P·ΔV: exact, and of differences alone.

use super::attention::{Heads, QkvPart};
use tensor::{Mat, Right, Sides, Window, add_scaled, product, softmax_shift};

impl Heads {
    /// The shifts of the heads' outputs at the first `reach` tokens of each shifted sample, from those of its queries, keys and
    /// values; `qkv` and `shares` are unmoved, and `owners` says whose they are.
    pub(super) fn mix_shift(
        &self,
        qkv: &[f32],
        shares: &[f32],
        shifts: &[f32],
        owners: &[usize],
        reach: usize,
        sides: Sides,
    ) -> Vec<f32> {
        let stride = 3 * self.d;
        let size = self.tokens * stride;
        let mut mixed = vec![0.0; owners.len() * reach * self.d];
        let mut scores = vec![0.0; reach * self.tokens];
        let mut moved = vec![0.0; size];
        let rows = shifts.chunks_exact(size).zip(mixed.chunks_exact_mut(reach * self.d)).zip(owners);
        for ((shifts, mixed), &owner) in rows {
            let qkv = &qkv[owner * size..][..size];
            let shares = &shares[owner * self.heads * self.square()..][..self.heads * self.square()];
            moved.copy_from_slice(qkv);
            // The product of two shifts is of second order, alike on both sides.
            if sides == Sides::Up {
                add_scaled(&mut moved, 1.0, shifts);
            }
            let whole = |values| Mat::new(values, self.tokens, stride);
            for (head, shares) in shares.chunks_exact(self.square()).enumerate() {
                let columns = |role| self.columns(head, role);
                let (queries, keys, values) =
                    (columns(QkvPart::Query), columns(QkvPart::Key), columns(QkvPart::Value));
                let first = |values| Mat::new(values, reach, stride).cols(queries.clone());
                product(
                    &[first(&shifts[..reach * stride]), first(&qkv[..reach * stride])],
                    &[
                        Right::Mat(whole(&moved).cols(keys.clone()).t()),
                        Right::Mat(whole(shifts).cols(keys.clone()).t()),
                    ],
                    &mut Window { out: &mut scores, stride: self.tokens, scale: self.scale() },
                );
                let shares = &shares[..reach * self.tokens];
                let mut down: Vec<f32> = match sides {
                    Sides::Up => Vec::new(),
                    Sides::Both => scores.iter().map(|d| -d).collect(),
                };
                softmax_shift(shares, &mut scores, self.tokens);
                softmax_shift(&shares[..down.len()], &mut down, self.tokens);
                scores.iter_mut().zip(&down).for_each(|(up, down)| *up = 0.5 * (*up - down));
                let out = &mut mixed[queries.start..];
                product(
                    &[self.seen(&scores), self.seen(shares)],
                    &[
                        Right::Mat(whole(&moved).cols(values.clone())),
                        Right::Mat(whole(shifts).cols(values.clone())),
                    ],
                    &mut Window { out, stride: self.d, scale: 1.0 },
                );
            }
        }
        mixed
    }
}
