//! A network with the ways of credit through it: its forward path, and below it a lane per rule, which shows where the credit
//! of each unit starts, what carries it and where it arrives. Columns of all lanes are those of the forward path, so a marker
//! under h_l is the credit that acts there.

mod columns;
mod draw;
mod forward;
mod lanes;
mod levels;
mod said;
mod sketch;
mod ways;

pub(super) use draw::draw;

use super::palette::Look;
use record::route::Route;

/// A network and the rules that train it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Its name in the table.
    pub name: String,
    /// Before the title, among lettered panels.
    pub letter: Option<char>,
    /// Written above it.
    pub title: Option<String>,
    /// The forward path.
    pub network: Network,
    /// From top to bottom.
    pub lanes: Vec<Lane>,
    /// Whether each lane says its way in words too.
    pub explained: bool,
    /// What symbols mean, written below it.
    pub key: String,
}

/// The forward path of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// What makes h_0 of the input.
    pub embed: Vec<Part>,
    /// Block by block.
    pub blocks: Vec<Block>,
    /// What makes the output of h_L.
    pub head: Vec<Part>,
}

/// A block of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its branch f_l.
    pub parts: Vec<Part>,
    /// Whether the branch is added to the block's input.
    pub skip: bool,
}

/// A step of the forward path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Label source.
    pub label: String,
    /// In plain words.
    pub words: String,
}

/// The way of a rule's credit.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Label source.
    pub name: String,
    /// As recipes name it.
    pub rule: String,
    /// Its colour and marker.
    pub look: Look,
    /// Its way.
    pub route: Route,
    /// Whether its net reads p_L in place of e_T.
    pub reads_gradient: bool,
}
