//! Sentences are chosen by the values: where two rules swap their records, the words follow, and where a
//! threshold moves, so does the remark.

mod drawn;
mod hero;
mod made;
mod ranks;
mod verdicts;
