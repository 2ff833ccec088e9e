//! Audits of networks whose states have positions or differ in size, and of every rule.

mod every_rule;
mod paper;
mod reach;
mod sizes;
mod tower;
