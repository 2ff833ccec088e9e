//! Sentences follow the values: if two rules swap their records, the words swap too, and if a threshold changes, so does
//! the remark.

mod convention;
mod drawn;
mod hero;
mod made;
mod normalisation;
mod ranks;
mod verdicts;
