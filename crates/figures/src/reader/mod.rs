//! Figures see run directories, audits and foreign files only through [`Records`], a flat list of trials. Nothing is made
//! up: what a file lacks is absent from its trial, and what was skipped is noted.

mod apart;
mod audits;
mod baseline;
mod epoch;
mod error;
mod find;
mod layers;
mod note;
mod origin;
mod others;
mod records;
mod runs;
mod setting;
mod trial;
mod variant;

pub use audits::trial_of_audit;
pub use epoch::EpochPoint;
pub use error::ReadError;
pub use layers::{ETA, Layers, Norms};
pub use note::Note;
pub use origin::{Origin, OriginKind};
pub use others::{OtherFile, OtherFiles, ReadTrials, RecogniseFile};
pub use protocol::{Statistics, geometric_mean, statistics};
pub use records::Records;
pub use setting::Setting;
pub(crate) use setting::clipping;
pub use trial::Trial;
pub use variant::Variant;
