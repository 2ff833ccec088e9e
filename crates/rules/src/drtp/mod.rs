//! Direct random target projection: every block receives the label, not the error, through a fixed random matrix, so that
//! it need not wait for the output (Frenkel, Lefebvre and Bol, 2021).

mod credit;

pub use credit::Drtp;
