//! Direct feedback alignment: every block receives the output error through a fixed random matrix of its own
//! (Nøkland, 2016).

mod credit;

pub use credit::Dfa;
