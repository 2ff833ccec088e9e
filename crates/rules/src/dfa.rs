//! Direct feedback alignment: every block receives the output error through a fixed random matrix of its own
//! (Nøkland, 2016).
//!
//! a_l = B_l e_T for every block, and a_embed = a_0.

use crate::definition::Definition;
use crate::direct::{self, Direct};
use crate::{Formula, Projected};
use nn::Network;
use tensor::Float;

pub(crate) const fn definition<T: Float, N: Network<T>>() -> Definition<T, N> {
    Definition {
        formula: |_| Some(Formula::Direct(Projected::Error)),
        unfit: direct::unfit,
        saved_values: |_, net| direct::values(net),
        ..Definition::new(
            "a_l = B_l e_T,   a_embed = a_0",
            "e_T = softmax(z) − onehot(y); B_l: fixed Gaussian matrices, N(0, 1/classes). Nøkland, 2016.",
            |_, net, _, seed| Box::new(Direct::new(net, Projected::Error, seed)),
        )
    }
}
