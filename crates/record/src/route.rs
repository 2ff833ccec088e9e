//! How a rule's credit comes to the units: where it starts, what carries it, where it arrives. One statement for diagrams, tables
//! and `explain`; the rules themselves are code.

use crate::Unit;

/// The way of a rule's credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// From the gradient at the last state down through one block after another.
    Chain(Carrier),
    /// Straight to each block; the embedding is given what block 0 is.
    Direct(Source, Carrier),
    /// From a net of the rule's own, which reads the state below each block; the embedding is given what block 0 is.
    Net(Predicted),
    /// From the imbalance that a nudge of the last state leaves at each unit.
    Nudge,
    /// From noise at each unit and the change of the loss.
    Noise,
    /// From code that this program does not know.
    Own,
}

/// What credit is multiplied by on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The transposed weights themselves.
    Weights,
    /// Fixed random matrices.
    Fixed,
    /// The signs of the weights.
    Signs,
    /// Feedback weights that learn.
    Learned,
}

/// Where credit that goes straight to the blocks starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// e_T, the error at the output.
    Error,
    /// The label.
    Label,
}

/// What a net of a rule predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicted {
    /// The last state.
    State,
    /// The loss.
    Loss,
}

impl Carrier {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Self::Weights => "the transposed weights",
            Self::Fixed => "fixed random matrices",
            Self::Signs => "the signs of the weights",
            Self::Learned => "feedback weights that learn",
        }
    }
}

impl Route {
    /// Where credit comes from, to follow "credit comes".
    ///
    /// ```
    /// use record::rules::route;
    /// assert_eq!(route("bp").words(), "down the chain of blocks, through the transposed weights");
    /// assert_eq!(route("rule_of_mine").words(), "from code of the rule's own");
    /// ```
    pub fn words(self) -> String {
        match self {
            Self::Chain(carrier) => format!("down the chain of blocks, through {}", carrier.words()),
            Self::Direct(source, carrier) => {
                let start = match source {
                    Source::Error => "the error",
                    Source::Label => "the label",
                };
                format!("from {start} straight to each block, through {}", carrier.words())
            }
            Self::Net(Predicted::State) => {
                "from a net that predicts the last state from each block's input".to_owned()
            }
            Self::Net(Predicted::Loss) => {
                "from a net that predicts the loss from each block's input".to_owned()
            }
            Self::Nudge => "from the imbalance that a nudge of the last state leaves at each unit".to_owned(),
            Self::Noise => "from noise at each unit, times the change of the loss along it".to_owned(),
            Self::Own => "from code of the rule's own".to_owned(),
        }
    }

    /// What the credit of a unit is, in a network of so many blocks.
    ///
    /// ```
    /// use record::{Unit, rules::route};
    /// assert_eq!(route("fa").to(Unit::Block(3), 4), "the gradient at h_4");
    /// assert_eq!(route("fa").to(Unit::Block(2), 4), "credit of block 3 through B_3");
    /// assert_eq!(route("dfa").to(Unit::Embed, 4), "credit of block 0");
    /// ```
    pub fn to(self, unit: Unit, blocks: usize) -> String {
        let state = unit.state();
        // The block that direct rules and nets serve; the embedding shares that of block 0, if there is one.
        let block = state.saturating_sub(1);
        match self {
            Self::Chain(_) if state >= blocks => format!("the gradient at h_{state}"),
            Self::Chain(carrier) => {
                let above = Unit::at(state + 1);
                let through = match carrier {
                    Carrier::Weights => "its transposed weights".to_owned(),
                    Carrier::Fixed => format!("B_{state}"),
                    Carrier::Signs => "the signs of its weights".to_owned(),
                    Carrier::Learned => "its learned feedback weights".to_owned(),
                };
                format!("credit of {above} through {through}")
            }
            Self::Direct(..) | Self::Net(_) if unit == Unit::Embed && blocks > 0 => {
                "credit of block 0".to_owned()
            }
            Self::Direct(source, carrier) => {
                let start = if source == Source::Error { "the error" } else { "the label" };
                let learned = if carrier == Carrier::Learned { ", which learns" } else { "" };
                format!("{start} through B_{block}{learned}")
            }
            Self::Net(Predicted::State) => {
                format!("the gradient at h_{block} of the loss of the predicted h_{blocks}")
            }
            Self::Net(Predicted::Loss) => format!("the gradient at h_{block} of the predicted loss"),
            Self::Nudge => {
                format!("how far the nudged h_{state} is from what {unit} makes of the state below")
            }
            Self::Noise => format!("noise at h_{state} times the change of the loss along it"),
            Self::Own => "code of the rule's own".to_owned(),
        }
    }
}
