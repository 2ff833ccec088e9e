//! The kernel of each number type, with the widest vector instructions of the machine.

use super::pack::{transpose_f32, transpose_plain};
#[cfg(target_arch = "x86_64")]
use super::tile::AVX2;
use super::tile::{PORTABLE, Strip, tile};
use super::walk::{Buffers, blocks};
#[cfg(target_arch = "x86_64")]
use super::x86;
use crate::{Epilogue, Mat, Right, Window};
use std::cell::RefCell;

/// The kernel's tile size and instructions for each number type.
pub trait Kernel: Sized {
    /// The sum of the products `a[i] · b[i]`; the caller has checked the shapes.
    fn product<F: Epilogue<Self>>(a: &[Mat<'_, Self>], b: &[Right<'_, Self>], epilogue: &mut F);

    /// `out = scale · a · b`, compiled once for all callers.
    fn matmul(out: &mut [Self], scale: Self, a: Mat<'_, Self>, b: Right<'_, Self>);

    /// Transposes [`SQUARE`](super::pack::SQUARE) rows of as many values.
    fn transpose(from: &[Self], stride: usize, to: &mut [Self]);
}

macro_rules! kernel {
    ($kind:ident, $strips:ident, $transpose:ident) => {
        impl Kernel for $kind {
            fn product<F: Epilogue<$kind>>(a: &[Mat<'_, $kind>], b: &[Right<'_, $kind>], epilogue: &mut F) {
                thread_local!(static BUFFERS: RefCell<Buffers<$kind>> = const {
                    RefCell::new(Buffers::new())
                });
                BUFFERS.with_borrow_mut(|buffers| {
                    #[cfg(target_arch = "x86_64")]
                    {
                        #[target_feature(enable = "avx2,fma")]
                        fn wide<F: Epilogue<$kind>>(
                            a: &[Mat<'_, $kind>],
                            b: &[Right<'_, $kind>],
                            epilogue: &mut F,
                            buffers: &mut Buffers<$kind>,
                            strips: [Strip<$kind>; 2],
                        ) {
                            blocks::<$kind, F, { AVX2.columns::<$kind>() }>(a, b, epilogue, buffers, strips);
                        }
                        if let Some(strips) = x86::$strips(true) {
                            // SAFETY: strips exist only if the instructions that `wide` is compiled for were detected.
                            return unsafe { wide(a, b, epilogue, buffers, strips) };
                        }
                    }
                    // Without an instruction for it, a fused multiply-add is a function call and far too slow.
                    const FUSED: bool = cfg!(not(target_arch = "x86_64"));
                    const ROWS: usize = PORTABLE.rows;
                    const COLUMNS: usize = PORTABLE.columns::<$kind>();
                    let strip = Strip { rows: ROWS, tile: tile::<$kind, ROWS, COLUMNS, FUSED>, pair: None };
                    blocks::<$kind, F, COLUMNS>(a, b, epilogue, buffers, [strip; 2]);
                });
            }

            fn matmul(out: &mut [$kind], scale: $kind, a: Mat<'_, $kind>, b: Right<'_, $kind>) {
                let stride = b.cols();
                Self::product(&[a], &[b], &mut Window { out, stride, scale });
            }

            #[inline(always)]
            fn transpose(from: &[$kind], stride: usize, to: &mut [$kind]) {
                $transpose(from, stride, to);
            }
        }
    };
}
kernel!(f32, single, transpose_f32);
kernel!(f64, double, transpose_plain);
