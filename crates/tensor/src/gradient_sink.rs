//! Where a gradient goes: it is stored, or the optimiser applies it at once and the whole of it never exists.

use crate::simd::prefetch;
use crate::{Float, Step};
use std::ops::Range;

/// Where the gradient of a range of parameters goes; all slices have the length of the range.
#[derive(Debug)]
pub enum GradientSink<'a, T> {
    /// The gradient is stored.
    Keep {
        /// The parameters.
        params: &'a [T],
        /// Their gradient.
        into: &'a mut [T],
    },
    /// The parameters move at once.
    Descend {
        /// The parameters.
        params: &'a mut [T],
        /// AdamW's first moments.
        first: &'a mut [T],
        /// AdamW's second moments.
        second: &'a mut [T],
        /// This step's coefficients.
        step: Step<T>,
    },
}

impl<T: Float> GradientSink<'_, T> {
    /// The parameters as they are now.
    pub fn params(&self) -> &[T] {
        match self {
            Self::Keep { params, .. } => params,
            Self::Descend { params, .. } => params,
        }
    }

    /// The sink of a part of the range.
    ///
    /// # Panics
    /// When it is not part of it.
    pub fn part(&mut self, range: Range<usize>) -> GradientSink<'_, T> {
        match self {
            Self::Keep { params, into } => {
                GradientSink::Keep { params: &params[range.clone()], into: &mut into[range] }
            }
            Self::Descend { params, first, second, step } => GradientSink::Descend {
                params: &mut params[range.clone()],
                first: &mut first[range.clone()],
                second: &mut second[range],
                step: *step,
            },
        }
    }

    /// Takes the gradient of the whole range.
    pub fn settle(&mut self, gradient: &[T]) {
        self.settle_at(0, gradient);
    }

    /// Takes the gradient of the parameters from `start` on.
    pub(crate) fn settle_at(&mut self, start: usize, gradient: &[T]) {
        let range = start..start + gradient.len();
        match self {
            Self::Keep { into, .. } => into[range].copy_from_slice(gradient),
            Self::Descend { params, first, second, step } => {
                let first = &mut first[range.clone()];
                let second = &mut second[range.clone()];
                step.descend(&mut params[range], first, second, gradient);
            }
        }
    }

    /// Prefetches what a step of that parameter touches.
    #[inline(always)]
    pub(crate) fn soon(&self, index: usize) {
        if let Self::Descend { params, first, second, .. } = self {
            prefetch(params, index);
            prefetch(first, index);
            prefetch(second, index);
        }
    }
}
