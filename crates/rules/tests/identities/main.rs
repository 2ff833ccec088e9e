//! Algebra that the rules must obey for any numbers.

mod chunks;
mod credit;
mod made;
mod outside_rules;
mod trained_parts;
