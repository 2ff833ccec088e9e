//! Elementwise passes over a batch of rows, each fused with what stands beside it in the network.

use crate::Float;
use crate::simd::{sum, vectorised};

/// Adds `bias` to every row.
pub fn add_bias<T: Float>(rows: &mut [T], bias: &[T]) {
    let d = bias.len();
    vectorised(|| {
        for row in rows.chunks_exact_mut(d) {
            for i in 0..d {
                row[i] += bias[i];
            }
        }
    });
}

/// Adds `bias` to every row of `pre`, writes the activation to `act` and leaves its slope in `pre`.
#[inline(always)]
fn bias_activation<T: Float>(pre: &mut [T], bias: &[T], act: &mut [T], phi: impl Fn(T) -> (T, T)) {
    let d = bias.len();
    for (pre, act) in pre.chunks_exact_mut(d).zip(act.chunks_exact_mut(d)) {
        for i in 0..d {
            let (value, slope) = phi(pre[i] + bias[i]);
            act[i] = value;
            pre[i] = slope;
        }
    }
}

/// Bias and erf-GELU in one pass: `act = gelu(pre + bias)`, and `pre` becomes the slope.
pub fn bias_gelu<T: Float>(pre: &mut [T], bias: &[T], act: &mut [T]) {
    vectorised(|| bias_activation(pre, bias, act, T::gelu));
}

/// Bias and φ_α(z) = (1−α)·z + α·tanh z in one pass; `pre` becomes the slope.
pub fn bias_blend<T: Float>(pre: &mut [T], bias: &[T], alpha: T, act: &mut [T]) {
    vectorised(|| {
        bias_activation(pre, bias, act, |z| {
            let t = z.tanh();
            let linear = T::ONE - alpha;
            (linear * z + alpha * t, linear + alpha * (T::ONE - t * t))
        });
    });
}

/// Adds `bias` to every row of `f` and writes `next = h + f`, or `next = f` where there is no skip connection.
pub fn bias_residual<T: Float>(f: &mut [T], bias: &[T], h: Option<&[T]>, next: &mut [T]) {
    let d = bias.len();
    vectorised(|| match h {
        Some(h) => {
            for ((f, h), next) in f.chunks_exact_mut(d).zip(h.chunks_exact(d)).zip(next.chunks_exact_mut(d)) {
                for i in 0..d {
                    f[i] += bias[i];
                    next[i] = h[i] + f[i];
                }
            }
        }
        None => {
            for (f, next) in f.chunks_exact_mut(d).zip(next.chunks_exact_mut(d)) {
                for i in 0..d {
                    f[i] += bias[i];
                    next[i] = f[i];
                }
            }
        }
    });
}

/// `a = a ∘ b`.
pub fn multiply<T: Float>(a: &mut [T], b: &[T]) {
    assert_eq!(a.len(), b.len());
    vectorised(|| {
        for (a, &b) in a.iter_mut().zip(b) {
            *a *= b;
        }
    });
}

/// `a = a + factor · b`.
pub fn add_scaled<T: Float>(a: &mut [T], factor: T, b: &[T]) {
    assert_eq!(a.len(), b.len());
    vectorised(|| {
        for (a, &b) in a.iter_mut().zip(b) {
            *a = factor.mul_add(b, *a);
        }
    });
}

/// `out = scale ·` the sum of the rows.
pub fn col_sums<T: Float>(rows: &[T], scale: T, out: &mut [T]) {
    let d = out.len();
    out.fill(T::ZERO);
    vectorised(|| {
        for row in rows.chunks_exact(d) {
            for i in 0..d {
                out[i] += row[i];
            }
        }
        for value in out.iter_mut() {
            *value *= scale;
        }
    });
}

/// Softmax cross-entropy of each row: `e` becomes softmax − onehot, `losses` the loss of each sample.
pub fn softmax_cross_entropy<T: Float>(logits: &[T], labels: &[u8], e: &mut [T], losses: &mut [T]) {
    let classes = logits.len() / labels.len().max(1);
    vectorised(|| {
        let rows = logits.chunks_exact(classes).zip(e.chunks_exact_mut(classes)).zip(labels).zip(losses);
        for (((z, e), &label), loss) in rows {
            let label = usize::from(label);
            let top = z.iter().fold(z[0], |top, &x| top.max(x));
            for i in 0..classes {
                e[i] = (z[i] - top).exp();
            }
            let total = sum(classes, |i| e[i]);
            let inverse = T::ONE / total;
            for value in e.iter_mut() {
                *value *= inverse;
            }
            e[label] = e[label] - T::ONE;
            *loss = total.ln() + (top - z[label]);
        }
    });
}
