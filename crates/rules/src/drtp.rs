//! Direct random target projection: every block receives the label, not the error, through a fixed random matrix. So it does
//! not have to wait for the output (Frenkel, Lefebvre and Bol, 2021).
//!
//! a_l = −B_l onehot(y) for every block, and a_embed = a_0.

use crate::definition::Definition;
use crate::direct::{self, Direct};
use crate::{Formula, Projected};
use nn::Network;
use tensor::Float;

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |_| Some(Formula::Direct(Projected::Target)),
        unfit: |net| {
            let unlabelled = (!net.classifies()).then_some("it projects labels, but this task has none");
            direct::unfit(net).or(unlabelled)
        },
        saved_values: |_, net| direct::values(net),
        ..Definition::new(
            "a_l = −B_l onehot(y),   a_embed = a_0",
            "B_l: fixed Gaussian matrices, as in dfa. The label alone decides, not the error. Frenkel, \
             Lefebvre and Bol, 2021.",
            |_, net, _, seed| Box::new(Direct::new(net, Projected::Target, seed)),
        )
    }
}
