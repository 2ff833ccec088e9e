//! Whether the credit that a run used is the credit that its weights and feedback give.
//!
//! The training loop records the raw credit of a fixed batch. Here it is recomputed from the saved tensors, in f64, by
//! plain loops that share nothing with training except the statement of the rule's formula: an error in a kernel, a rule
//! or a file then shows as a difference, and [`compare`] names the unit and the likely fault. The effect of f32 rounding
//! is measured: where the two differ, the plain path is run again with every value rounded at random.
//!
//! A credit counts as right if it is what the weights give, or what follows from the credit recorded at the unit
//! above. So a fault that propagates down a chain is named where it begins and not at every unit below.
//!
//! ```
//! use audit::consistency::{PlainNetwork, PlainTensor, Recorded, compare};
//! use record::audit::{Consistency, Fault};
//! use rules::RuleSpec;
//! use std::collections::BTreeMap;
//!
//! // No blocks and a head of zeros: both classes get one half, so e_T = (−½, ½), and B_0 is the identity.
//! let tensor = |shape: &[usize], values: &[f64]| PlainTensor { shape: shape.to_vec(), values: values.to_vec() };
//! let tensors = BTreeMap::from([
//!     ("embed.weight".to_owned(), tensor(&[2, 1], &[1.0, 2.0])),
//!     ("embed.bias".to_owned(), tensor(&[2], &[0.0, 0.0])),
//!     ("out_head.weight".to_owned(), tensor(&[2, 2], &[0.0; 4])),
//!     ("out_head.bias".to_owned(), tensor(&[2], &[0.0, 0.0])),
//!     ("feedback.0".to_owned(), tensor(&[2, 2], &[1.0, 0.0, 0.0, 1.0])),
//! ]);
//! let consistency = |credit: Vec<f32>| {
//!     compare(&Recorded {
//!         rule: "dfa",
//!         formula: RuleSpec::from("dfa").formula(),
//!         penalty: 0.0,
//!         net: PlainNetwork::Student { blocks: 0, alpha: 1.0, skip: true },
//!         tensors: &tensors,
//!         x: &[1.0],
//!         labels: &[0],
//!         batch: 1,
//!         credit: &[credit],
//!     })
//! };
//! assert_eq!(consistency(vec![-0.5, 0.5]), Consistency::Agrees { worst: 0.0 });
//! let Consistency::Differs { findings } = consistency(vec![0.5, -0.5]) else { panic!("the sign is wrong") };
//! assert_eq!((findings[0].unit.to_string(), &findings[0].fault), ("embed".to_owned(), &Fault::SignFlipped));
//! ```

mod agreement;
mod arithmetic;
mod bridge;
mod carrier;
mod checked;
mod compare;
mod findings;
mod forward;
mod hypotheses;
mod layers;
mod matrix;
mod path;
mod perceptron;
mod reader;
mod recorded;
mod replay;
mod samples;
mod weights;

pub use compare::compare;
pub use findings::{UnitSteps, feedback_finding, never_stepped, together};
pub use recorded::{PlainNetwork, PlainTensor, Recorded};
