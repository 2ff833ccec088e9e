//! Data sets: loading, fetching, verifying, and writing batches.
//!
//! Three data sets are built in (the handwritten digits, the teacher-student generator, and the linear-quadratic
//! system), four are read from a folder (CIFAR-10, CIFAR-100, MNIST, Fashion-MNIST), and users bring their own as arrays in a file. Images stay bytes in memory, one
//! copy for all runs of a process; crop, flip and normalisation happen while a batch is written. A batch is a pure
//! function of (seed, epoch, position), so resuming a run needs no replay.
//!
//! ```
//! use data::{BatchPosition, DataSpec, Folder, fill, load, order};
//!
//! let digits = load(&DataSpec::Digits, &Folder::at("nowhere"))?;
//! let order = order(42, 0, digits.train.len());
//! let mut x = vec![0.0; 16 * digits.inputs];
//! let mut labels = vec![0; 16];
//! let position = BatchPosition { seed: 42, epoch: 0, start: 0 };
//! fill(&digits.train, &order, position, false, &mut x, &mut labels);
//! assert!(labels.iter().all(|&label| label < 10));
//! # Ok::<(), data::Error>(())
//! ```

mod batches;
pub mod catalogue;
mod cifar;
mod data_folder;
mod dataset;
mod digest;
mod digits;
mod error;
mod fetch;
mod holdout;
mod idx;
mod load;
mod lq;
mod normalise;
mod own;
mod pickle;
mod presence;
mod remedy;
mod spec;
mod status;
mod teacher;
mod verify;
mod view;

pub use batches::{BatchPosition, batch_range, batches, fill, order};
pub use data_folder::Folder;
pub use dataset::{Dataset, ImageShape, Split};
pub use error::Error;
pub use fetch::{FetchOptions, Fetched, Progress, client, fetch};
pub use holdout::Holdout;
pub use load::{check, load, load_entry};
pub use lq::LqDataSpec;
pub use own::OwnData;
pub use remedy::Remedy;
pub use spec::{DataSpec, Dimensions};
pub use status::{State, Status, list};
pub use teacher::TeacherSpec;
pub use verify::{FileCheck, Outcome, verify};
pub use view::View;
