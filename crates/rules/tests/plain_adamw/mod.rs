//! AdamW as its authors write it (Loshchilov and Hutter, 2019, algorithm 2), by plain loops in f64.

use tensor::AdamW;

/// Moments of each value, and how many gradients they have taken.
pub(crate) struct Moments {
    first: Vec<f64>,
    second: Vec<f64>,
    taken: i32,
}

impl Moments {
    pub(crate) fn new(values: usize) -> Self {
        Self { first: vec![0.0; values], second: vec![0.0; values], taken: 0 }
    }

    /// Takes a gradient in; gives m̂/(√v̂ + ε), by which a step of learning rate η and decay λ makes w (1 − ηλ)·w − η·that.
    pub(crate) fn take(&mut self, gradient: &[f64], optimiser: AdamW) -> Vec<f64> {
        let AdamW { beta1, beta2, eps, .. } = optimiser;
        assert_eq!(gradient.len(), self.first.len());
        self.taken += 1;
        let moments = self.first.iter_mut().zip(&mut self.second);
        let of = |((m, v), g): ((&mut f64, &mut f64), &f64)| {
            *m = beta1 * *m + (1.0 - beta1) * g;
            *v = beta2 * *v + (1.0 - beta2) * g * g;
            let (m, v) = (*m / (1.0 - beta1.powi(self.taken)), *v / (1.0 - beta2.powi(self.taken)));
            m / (v.sqrt() + eps)
        };
        moments.zip(gradient).map(of).collect()
    }
}
