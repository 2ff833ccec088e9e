//! Labels: measurements add up, fitted labels fit, and problems are reported.

mod fitting;
mod made;
mod measures;
mod problems;
