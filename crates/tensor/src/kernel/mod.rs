//! The matrix kernel: small tiles of the result in registers, the right operand in panels, so that every load from it is a
//! whole vector.
//!
//! A value of the result is a chain of multiply-adds in the order of the inner index, cut at fixed terms. Its bytes depend
//! neither on the shape of the product nor on which thread computes which part, so any number of threads can split the
//! rows of a batch or the columns of a gradient.
//!
//! Finished values go to an [`Epilogue`](crate::Epilogue) while they are still in registers or the L1 cache: a bias and an
//! activation, or an optimiser step, needs no further pass over memory.

mod dispatch;
mod left;
mod pack;
#[cfg(test)]
mod tests;
mod tile;
mod walk;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use dispatch::Kernel;
