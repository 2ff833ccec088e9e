//! Attention, one head of one sample at a time: small products that stay in the L1 and L2 caches.
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
    pub(super) tokens: usize,
    pub(super) heads: usize,
    pub(super) d: usize,
}

/// The order of queries, keys and values in a row.
#[derive(Clone, Copy)]
pub(super) enum QkvPart {
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
    /// From queries, keys and values to the heads' outputs; keeps the attention weights as `shares`.
    pub(super) fn mix<T: Float>(&self, qkv: &[T], shares: &mut [T], mixed: &mut [T]) {
        let rows =
            qkv.chunks_exact(self.tokens * 3 * self.d).zip(mixed.chunks_exact_mut(self.tokens * self.d));
        for ((qkv, mixed), shares) in rows.zip(shares.chunks_exact_mut(self.heads * self.square())) {
            let qkv = Mat::new(qkv, self.tokens, 3 * self.d);
            for (head, shares) in shares.chunks_exact_mut(self.square()).enumerate() {
                let columns = |role| qkv.cols(self.columns(head, role));
                matmul(shares, self.scale(), columns(QkvPart::Query), columns(QkvPart::Key).t());
                softmax(shares, self.tokens);
                let out = &mut mixed[self.columns(head, QkvPart::Query).start..];
                let mut window = Window { out, stride: self.d, scale: T::ONE };
                product(&[self.seen(shares)], &[Right::Mat(columns(QkvPart::Value))], &mut window);
            }
        }
    }

    /// The signal at queries, keys and values from that at the heads' outputs, which only the first `reach` tokens of each
    /// sample have. The queries of the others get none, but their keys and values do.
    pub(super) fn mix_vjp<T: Float>(
        &self,
        qkv: &[T],
        shares: &[T],
        signal: &[T],
        reach: usize,
        scores: &mut [T],
        at_qkv: &mut [T],
    ) {
        let stride = 3 * self.d;
        let scores = &mut scores[..reach * self.tokens];
        let rows = signal.chunks_exact(reach * self.d).zip(at_qkv.chunks_exact_mut(self.tokens * stride));
        let rows = rows.zip(shares.chunks_exact(self.heads * self.square()));
        for (((signal, at_qkv), shares), qkv) in rows.zip(qkv.chunks_exact(self.tokens * stride)) {
            let signal = Mat::new(signal, reach, self.d);
            let all = Mat::new(qkv, self.tokens, stride);
            let reached = Mat::new(&qkv[..reach * stride], reach, stride);
            at_qkv[reach * stride..].chunks_exact_mut(stride).for_each(|row| row[..self.d].fill(T::ZERO));
            for (head, shares) in shares.chunks_exact(self.square()).enumerate() {
                let columns = |role| self.columns(head, role);
                let signal = signal.cols(columns(QkvPart::Query));
                let shares = &shares[..reach * self.tokens];
                let mut put = |role, scale, a, b| {
                    let out = &mut at_qkv[columns(role).start..];
                    product(&[a], &[Right::Mat(b)], &mut Window { out, stride, scale });
                };
                put(QkvPart::Value, T::ONE, self.seen(shares).t(), signal);
                matmul(scores, T::ONE, signal, all.cols(columns(QkvPart::Value)).t());
                softmax_input_grad(shares, scores, self.tokens);
                put(QkvPart::Query, self.scale(), self.seen(scores), all.cols(columns(QkvPart::Key)));
                put(QkvPart::Key, self.scale(), self.seen(scores).t(), reached.cols(columns(QkvPart::Query)));
            }
        }
    }

    /// A matrix with one column per token.
    pub(super) fn seen<'a, T>(&self, shares: &'a [T]) -> Mat<'a, T> {
        Mat::new(shares, shares.len() / self.tokens, self.tokens)
    }

    /// A head's columns among queries, keys and values; those of the queries are also its columns in the output.
    pub(super) fn columns(&self, head: usize, role: QkvPart) -> Range<usize> {
        let features = self.d / self.heads;
        let first = role as usize * self.d;
        first + head * features..first + (head + 1) * features
    }

    pub(super) fn square(&self) -> usize {
        self.tokens * self.tokens
    }

    pub(super) fn scale<T: Float>(&self) -> T {
        T::of(1.0 / ((self.d / self.heads) as f64).sqrt())
    }
}
