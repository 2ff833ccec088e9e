//! Kolen–Pollack: feedback weights of their own that learn with the forward weights until both agree (Kolen and Pollack, 1994;
//! Akrout and others, 2019).

mod credit;

pub use credit::KolenPollack;
