//! Which vector instructions this machine has, asked at run time. The answer is cached by the standard library.

use std::arch::is_x86_feature_detected;

/// AVX2 with fused multiply-adds.
#[inline(always)]
pub(crate) fn avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// AVX-512.
#[inline(always)]
pub(crate) fn avx512() -> bool {
    is_x86_feature_detected!("avx512f")
}
