//! The one way in: figures see run directories, audits and files of others through [`Records`] alone, as a flat
//! list of trials. Nothing is filled in on the way; what a file does not hold is absent from the trial, and what was
//! passed over is noted.

mod apart;
mod audits;
mod epoch;
mod error;
mod find;
mod groups;
mod layers;
mod note;
mod origin;
mod others;
mod records;
mod runs;
mod setting;
mod trial;
mod variant;

pub use epoch::EpochPoint;
pub use error::ReadError;
pub use groups::Group;
pub use layers::{ETA, Layers, Norms};
pub use note::Note;
pub use origin::{Kind, Origin};
pub use others::{OtherFile, OtherFiles, ReadTrials, TellKind};
pub use protocol::{Statistics, geometric_mean, statistics};
pub use records::Records;
pub use setting::Setting;
pub use trial::Trial;
pub use variant::Variant;
