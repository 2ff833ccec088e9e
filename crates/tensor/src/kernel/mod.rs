//! The matrix kernel: small tiles of the result held in registers, the right operand in panels, so that every load from it
//! is a whole vector.
//!
//! A value of the result is a chain of multiply-adds in the order of the inner index, cut every so many terms, and
//! nothing else: its bytes depend neither on the shape of the product around it nor on who computes which part. So any
//! number of threads can share the rows of a batch, or the columns of a gradient, without a trace.
//!
//! Finished values go to an [`Epilogue`](crate::Epilogue) while they are still in registers or in the nearest cache: a bias
//! and an activation, or a step of the optimiser, costs no pass of its own over memory.

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
