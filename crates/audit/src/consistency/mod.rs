//! Whether the credit that a run really used is the credit that its weights and feedback give.
//!
//! The training loop records the raw credit of a fixed batch. Here it is computed once more from the saved tensors,
//! in f64, by plain loops that share no code with training but the statement of the rule's formula: a slip in a kernel, in a rule or in a file then shows as
//! a difference, and [`compare`] says at which unit and what it looks like. What rounding in f32 may do is not
//! guessed but tried: where the two differ, the plain path is run again with every value rounded at random.
//!
//! A credit counts as right if it is what the weights give, or what follows from the credit recorded at the unit
//! above. So a fault that runs down a chain is named where it begins and not at every unit below.
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
//! let of = |credit: Vec<f32>| {
//!     let net = PlainNetwork::Student { blocks: 0, alpha: 1.0, skip: true };
//!     let formula = RuleSpec::from("dfa").formula();
//!     let (x, labels, credit) = (&[1.0], &[0], &[credit]);
//!     let (rule, tensors) = ("dfa", &tensors);
//!     compare(&Recorded { rule, formula, penalty: 0.0, net, tensors, x, labels, batch: 1, credit })
//! };
//! assert_eq!(of(vec![-0.5, 0.5]), Consistency::Agrees { worst: 0.0 });
//! let Consistency::Differs { findings } = of(vec![0.5, -0.5]) else { panic!("the sign is wrong") };
//! assert_eq!((findings[0].unit.to_string(), &findings[0].fault), ("embed".to_owned(), &Fault::SignFlipped));
//! ```

mod arithmetic;
mod bridge;
mod carrier;
mod case;
mod compare;
mod findings;
mod forward;
mod hypotheses;
mod judge;
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
