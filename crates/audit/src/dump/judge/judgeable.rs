//! What can be judged on a dump, given what it lacks, and the words for the rest.

use super::DumpOptions;
use super::direct::is_image_of;
use super::evidence::LastState;
use super::overview::Overview;
use super::tested::Tested;
use crate::dump::layout::credit;
use crate::dump::{Dump, DumpRows, LossChanges};
use crate::measurements::{DIRECTION_BATCH, DIRECTION_BATCHES};
use protocol::settings;
use record::Why;
use record::audit::{CheckId, CheckResult, Outcome, Settings, Warning};

impl Overview {
    /// The gradient at h_l: the dumped one or, if the dump has none, at h_L the computed one.
    pub(super) fn reference<'a>(&'a self, dump: &'a Dump, l: usize) -> Option<&'a DumpRows> {
        match &dump.gradients {
            Some(gradients) => gradients.layers.get(l),
            None => self.computed.as_ref().filter(|_| l == dump.blocks),
        }
    }

    /// The gradient that the direction check looks at.
    pub(super) fn middle<'a>(&'a self, dump: &'a Dump) -> Option<&'a DumpRows> {
        self.reference(dump, dump.blocks / 2)
    }

    /// What the loss at h_L is computed from, if it is known and there is credit to move the state by.
    pub(super) fn last_state<'a>(&self, dump: &'a Dump) -> Option<LastState<'a>> {
        self.computed.as_ref()?;
        credit(dump, dump.blocks)?;
        Some(LastState { head: dump.head.as_ref()?, h: dump.hidden.last()?, labels: dump.labels.as_ref()? })
    }

    /// The loss changes measured at h_l, unless rounding has eaten them.
    pub(super) fn loss_changes<'a>(&self, dump: &'a Dump, l: usize) -> Option<&'a LossChanges> {
        dump.loss_changes.get(l)?.as_ref().filter(|_| self.tested[l] != Some(Tested::Rounded))
    }

    /// e_T, if the credit of a unit is a fixed linear image of it. Where the gradient is one too, as at a linear head, nothing
    /// follows from that.
    pub(super) fn feedback<'a>(&'a self, dump: &Dump, unit: usize) -> Option<&'a DumpRows> {
        let errors = self.errors.as_ref()?;
        let credit = credit(dump, unit)?;
        let gradient = self.reference(dump, unit)?;
        (is_image_of(errors, credit) && !is_image_of(errors, gradient)).then_some(errors)
    }

    /// The settings, with zeros for what cannot be measured on this dump.
    pub(super) fn settings(&self, dump: &Dump, options: &DumpOptions) -> Settings {
        let usual = settings(&options.limits, dump.samples as u64);
        let loss = self.last_state(dump).is_some();
        let some = (dump.gradients.is_some() || loss)
            && (dump.credit.embed.is_some() || !dump.credit.blocks.is_empty());
        Settings {
            directions: if loss { options.directions } else { 0 },
            etas: if loss { usual.etas } else { Vec::new() },
            draws: if some { options.draws } else { 0 },
            null_samples: usual.null_samples.min(dump.samples as u64),
            ..usual
        }
    }

    /// Marks checks as not assessed, or states a better reason.
    pub(super) fn leave_open(&self, dump: &Dump, checks: &mut [CheckResult]) {
        for check in checks {
            let why = match check.check {
                CheckId::D2 if self.contested => {
                    "the dumped gradient at h_L differs from the one that head, labels and h_L give, and the two disagree \
                     about this check"
                }
                CheckId::D2 if self.doubted(dump, dump.blocks) == Some(Why::NotTheGradient) => {
                    "the dumped reference at h_L is not the gradient of this forward pass"
                }
                CheckId::Direction if check.statistic.is_some() => continue,
                CheckId::Direction if self.middle(dump).is_none() => "no gradients",
                CheckId::Direction if dump.samples >= DIRECTION_BATCH * DIRECTION_BATCHES => {
                    "the gradient of a batch has no direction"
                }
                _ => continue,
            };
            check.outcome = Outcome::NotAssessed { why: why.to_owned() };
        }
    }

    /// The warning that names everything missing; none if everything was judged.
    pub(super) fn missing(&self, dump: &Dump) -> Option<Warning> {
        let no_states = dump.hidden.is_empty();
        let no_gradients = dump.gradients.is_none();
        let no_embed = dump.credit.embed.is_none();
        let no_blocks = dump.credit.blocks.is_empty() && dump.blocks > 0;
        let no_error = self.error.is_none();
        // A head that does not give the logits is not missing, and has its own warning.
        let no_loss = no_states || dump.labels.is_none() || dump.head.is_none();
        let tensors = [
            (no_states, "h.*"),
            (no_gradients, "p.* or g.*"),
            (no_embed, "a.embed"),
            (no_blocks, "a.0 …"),
            (dump.labels.is_none(), "labels"),
            (dump.logits.is_none() && no_error, "logits"),
            (dump.head.is_none(), "head.weight"),
        ];
        let unjudged = [
            (no_states, "growth (D1)"),
            (no_gradients && self.computed.is_none(), "the reference (D2), cosines"),
            (no_gradients && self.computed.is_some(), "cosines below h_L"),
            (no_embed && no_blocks, "credit"),
            (no_embed && !no_blocks, "the embedding's credit"),
            (no_blocks && !no_embed, "the credit of blocks"),
            (no_error, "whether the task is solved"),
            (no_loss && !(no_embed && no_blocks), "rho and nudge at h_L"),
            (no_loss && !no_gradients, "whether p is the gradient at h_L"),
        ];
        let chosen = |list: &[(bool, &str)]| -> Vec<String> {
            list.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_owned()).collect()
        };
        let tensors = chosen(&tensors);
        let unjudged = chosen(&unjudged);
        let sentence = match unjudged.as_slice() {
            [] => return None,
            [one] => one.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        Some(Warning::Missing { tensors, unjudged: format!("nothing is said about {sentence}") })
    }
}
