//! Attention, one head of one sample after the other: small products that stay in the nearest caches.
//!
//! With queries Q, keys K and values V of a head, tokens × features: P = softmax(Q·Kᵀ/√features), O = P·V. From the signal
//! s at O: at V it is Pᵀ·s, at P it is s·Vᵀ, at the scores t = P ∘ (s·Vᵀ − row sums of P ∘ s·Vᵀ), at Q it is t·K/√features
//! and at K it is tᵀ·Q/√features.

use super::Vit;
use std::ops::Range;
use tensor::{Float, Mat, Right, Window, matmul, product, softmax, softmax_input_grad};

/// The sizes that attention needs.
#[derive(Clone, Copy)]
pub(super) struct Heads {
    tokens: usize,
    heads: usize,
    d: usize,
}

/// Where queries, keys and values stand beside each other.
#[derive(Clone, Copy)]
enum Role {
    Query,
    Key,
    Value,
}

impl Vit {
    pub(super) fn attention(&self) -> Heads {
        Heads { tokens: self.tokens(), heads: self.spec.heads, d: self.spec.d }
    }
}

impl Heads {
    /// From queries, keys and values to what the heads read out of them; keeps the shares.
    pub(super) fn mix<T: Float>(&self, qkv: &[T], shares: &mut [T], mixed: &mut [T]) {
        let rows =
            qkv.chunks_exact(self.tokens * 3 * self.d).zip(mixed.chunks_exact_mut(self.tokens * self.d));
        for ((qkv, mixed), shares) in rows.zip(shares.chunks_exact_mut(self.heads * self.square())) {
            let qkv = Mat::new(qkv, self.tokens, 3 * self.d);
            for (head, shares) in shares.chunks_exact_mut(self.square()).enumerate() {
                let part = |role| qkv.cols(self.part(head, role));
                matmul(shares, self.scale(), part(Role::Query), part(Role::Key).t());
                softmax(shares, self.tokens);
                let out = &mut mixed[self.part(head, Role::Query).start..];
                self.put(self.seen(shares), part(Role::Value), Window { out, stride: self.d, scale: T::ONE });
            }
        }
    }

    /// From the signal at what the heads have read to that at queries, keys and values. It is given for the first `reach`
    /// tokens of each sample; the others have none, and their queries get none, but all have been read.
    pub(super) fn mix_vjp<T: Float>(
        &self,
        qkv: &[T],
        shares: &[T],
        signal: &[T],
        reach: usize,
        scores: &mut [T],
        at_qkv: &mut [T],
    ) {
        let (stride, scores) = (3 * self.d, &mut scores[..reach * self.tokens]);
        let rows = signal.chunks_exact(reach * self.d).zip(at_qkv.chunks_exact_mut(self.tokens * stride));
        let rows = rows.zip(shares.chunks_exact(self.heads * self.square()));
        for (((signal, at_qkv), shares), qkv) in rows.zip(qkv.chunks_exact(self.tokens * stride)) {
            let (signal, all) = (Mat::new(signal, reach, self.d), Mat::new(qkv, self.tokens, stride));
            let reached = Mat::new(&qkv[..reach * stride], reach, stride);
            at_qkv[reach * stride..].chunks_exact_mut(stride).for_each(|row| row[..self.d].fill(T::ZERO));
            for (head, shares) in shares.chunks_exact(self.square()).enumerate() {
                let part = |role| self.part(head, role);
                let (signal, shares) = (signal.cols(part(Role::Query)), &shares[..reach * self.tokens]);
                let mut put = |role, scale, a, b| {
                    let out = &mut at_qkv[part(role).start..];
                    self.put(a, b, Window { out, stride, scale });
                };
                put(Role::Value, T::ONE, self.seen(shares).t(), signal);
                matmul(scores, T::ONE, signal, all.cols(part(Role::Value)).t());
                softmax_input_grad(shares, scores, self.tokens);
                put(Role::Query, self.scale(), self.seen(scores), all.cols(part(Role::Key)));
                put(Role::Key, self.scale(), self.seen(scores).t(), reached.cols(part(Role::Query)));
            }
        }
    }

    fn put<T: Float>(&self, a: Mat<'_, T>, b: Mat<'_, T>, mut window: Window<'_, T>) {
        product(&[a], &[Right::Mat(b)], &mut window);
    }

    /// Rows that look at all tokens.
    fn seen<'a, T>(&self, shares: &'a [T]) -> Mat<'a, T> {
        Mat::new(shares, shares.len() / self.tokens, self.tokens)
    }

    /// A head's columns among queries, keys and values; those of the queries are also its columns in what it reads out.
    fn part(&self, head: usize, role: Role) -> Range<usize> {
        let (features, first) = (self.d / self.heads, role as usize * self.d);
        first + head * features..first + (head + 1) * features
    }

    fn square(&self) -> usize {
        self.tokens * self.tokens
    }

    fn scale<T: Float>(&self) -> T {
        T::of(1.0 / ((self.d / self.heads) as f64).sqrt())
    }
}
