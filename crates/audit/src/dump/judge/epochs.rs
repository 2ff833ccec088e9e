//! Several dumps as the epochs of one run: they must be of one network, and in order.

use super::overview::Overview;
use crate::dump::{Dump, DumpFault};
use protocol::Moment;
use record::audit::Warning;

/// What is kept of the dumps read so far; their tensors are not.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    moments: Vec<Moment>,
    hashes: Vec<String>,
    samples: Vec<u64>,
    widths: Vec<usize>,
    /// Whether the last dump contains its epoch.
    epoch_known: bool,
}

impl Epochs {
    /// Adds the next dump; the error states why it is not the next epoch of this run.
    pub(super) fn add(&mut self, dump: &Dump, overview: &Overview) -> Result<(), DumpFault> {
        let widths = widths(dump);
        let hash = dump.origin.hash();
        if hash.is_some_and(|hash| self.hashes.contains(hash)) {
            return Err(DumpFault::layout("the same file was given before", "give each epoch once"));
        }
        if !self.widths.is_empty() && self.widths != widths {
            return Err(DumpFault::layout(
                format!(
                    "the widths of its states are {}, those of the dump before it {}",
                    list(&widths),
                    list(&self.widths)
                ),
                "give only the epochs of one run together",
            ));
        }
        let position = self.moments.len() as u64 + 1;
        let epoch = dump.about.epoch.unwrap_or(position);
        if let Some(before) = self.moments.last().filter(|before| before.epoch >= epoch) {
            let by = if dump.about.epoch.is_some() { "" } else { " by its position" };
            return Err(DumpFault::layout(
                format!("it is of epoch {epoch}{by}, and the dump before it of epoch {}", before.epoch),
                "give dumps in the order of their epochs, and save `epoch` in all of them or in none",
            ));
        }
        self.epoch_known = dump.about.epoch.is_some();
        self.moments.push(overview.moment(epoch));
        self.hashes.extend(hash.cloned());
        self.samples.push(dump.samples as u64);
        self.widths = widths;
        Ok(())
    }

    /// The values of the checks at each epoch. A single dump without an epoch has no history.
    pub(super) fn history(&self) -> &[Moment] {
        if self.moments.len() == 1 && !self.epoch_known { &[] } else { &self.moments }
    }

    /// The last epoch, if there is a history.
    pub(super) fn last(&self) -> Option<u64> {
        self.history().last().map(|moment| moment.epoch)
    }

    /// The warning that the dumps have different numbers of samples, if they do.
    pub(super) fn samples_differ(&self) -> Option<Warning> {
        let differ = self.samples.windows(2).any(|pair| pair[0] != pair[1]);
        differ.then(|| Warning::SamplesDiffer { samples: self.samples.clone() })
    }

    /// SHA-256 of each file, in order.
    pub(super) fn hashes(self) -> Vec<String> {
        self.hashes
    }
}

/// Widths of the states or, without them, of the gradients.
fn widths(dump: &Dump) -> Vec<usize> {
    let gradients = dump.gradients.iter().flat_map(|gradients| &gradients.layers);
    let states: Vec<usize> = dump.hidden.iter().map(|rows| rows.width).collect();
    if states.is_empty() { gradients.map(|rows| rows.width).collect() } else { states }
}

fn list(widths: &[usize]) -> String {
    widths.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
