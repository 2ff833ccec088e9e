//! What a dump shows before its credit is measured: norms, error, accuracy, and whether its head and its reference are
//! reliable. For epochs before the last, nothing else is measured.

use super::output::{accuracy, errors};
use super::reference::{Comparison, Precision};
use super::tested::{Tested, test};
use crate::dump::{Dump, DumpRows, Head};
use crate::{median, norms};
use protocol::{Moment, Thresholds, at_floor, growth, last_gradient, reference_validity};
use record::audit::{Outcome, Warning};

/// A dump at a glance.
#[derive(Debug, Default)]
pub(super) struct Overview {
    /// Median ‖h_l‖; empty if the dump has no states.
    pub(super) hidden: Vec<f64>,
    /// Median ‖p_l‖ at h_0 … h_L, if there is a gradient.
    pub(super) gradient: Vec<Option<f64>>,
    /// Median ‖e_T‖.
    pub(super) error: Option<f64>,
    /// Accuracy on the dumped samples.
    pub(super) accuracy: Option<f64>,
    /// p_L from head, labels and h_L; none if one of them is missing, or the head does not give the logits.
    pub(super) computed: Option<DumpRows>,
    /// Whether that determines how many samples the dumped gradients are a mean over.
    pub(super) sized: bool,
    /// Whether dumped and computed p_L disagree about D2.
    pub(super) contested: bool,
    /// e_T of the dumped samples.
    pub(super) errors: Option<DumpRows>,
    /// What measured loss changes say about the gradient at each state.
    pub(super) tested: Vec<Option<Tested>>,
    /// Whether credit and reference are the same numbers below the last unit, with nothing to show that they are the gradient.
    pub(super) nothing_compared: bool,
    /// Warnings about head and reference.
    pub(super) warnings: Vec<Warning>,
}

/// Median norm of the rows.
pub(super) fn typical(rows: &DumpRows) -> f64 {
    median(norms(&rows.values, rows.width).collect())
}

impl Overview {
    /// The overview of a dump whose gradients are already scaled to p; they were taken as a mean over `taken` samples.
    pub(super) fn of(dump: &Dump, taken: u64, limits: &Thresholds) -> Self {
        let mut found = Self { hidden: dump.hidden.iter().map(typical).collect(), ..Self::default() };
        let precision = Precision::of(!dump.half.is_empty());
        let from_head = dump.head.as_ref().zip(dump.hidden.last());
        let from_head = from_head.map(|(head, h)| (head, h, logits(head, h)));
        let wrong = match (&dump.logits, &from_head) {
            (Some(dumped), Some((_, _, given))) => precision.head(dumped, given),
            _ => None,
        };
        let trusted = from_head.as_ref().filter(|_| wrong.is_none());
        found.warnings.extend(wrong);
        let best = dump.logits.as_ref().or(trusted.map(|(_, _, logits)| logits));
        if let Some((logits, labels)) = best.zip(dump.labels.as_ref()) {
            let errors = errors(logits, labels);
            found.error = Some(typical(&errors));
            found.accuracy = accuracy(logits, labels);
            found.errors = Some(errors);
        }
        found.tested = (0..=dump.blocks).map(|l| tested(dump, l)).collect();
        if let Some(((head, h, logits), labels)) = trusted.zip(dump.labels.as_ref()) {
            let errors = errors(logits, labels);
            let computed = head.gradient(h, &errors);
            if found.check(dump, &computed, precision, &errors, taken, limits) {
                found.computed = Some(computed);
            }
        }
        found.gradient = (0..=dump.blocks).map(|l| found.reference(dump, l).map(typical)).collect();
        found.doubt(dump);
        found
    }

    /// Compares the dumped p_L with the computed one, and returns whether the head's loss is that of the dump.
    fn check(
        &mut self,
        dump: &Dump,
        computed: &DumpRows,
        precision: Precision,
        errors: &DumpRows,
        taken: u64,
        limits: &Thresholds,
    ) -> bool {
        let Some(dumped) = dump.gradients.as_ref().and_then(|gradients| gradients.layers.last()) else {
            return true;
        };
        let comparison = precision.gradient(dumped, computed, errors, taken);
        self.sized =
            matches!(comparison, Comparison::Agrees | Comparison::Differs(Warning::ReductionDiffers { .. }));
        if let Comparison::Differs(Warning::ReferenceDiffers { cosine, .. }) = comparison
            && let Some(Some(Tested::Holds(_))) = self.tested.last()
        {
            self.warnings.push(Warning::LossDiffers { cosine });
            return false;
        }
        if let Comparison::Differs(warning) = comparison {
            let judged = |p: &DumpRows| d2(typical(p), self.error, limits);
            self.contested = judged(dumped) != judged(computed);
            self.warnings.push(warning);
        }
        true
    }

    /// max ‖h_{l+1}‖/‖h_l‖.
    pub(super) fn growth(&self) -> Option<f64> {
        (!self.hidden.is_empty()).then(|| growth(&self.hidden))
    }

    /// ‖g_L‖ at N = 128.
    pub(super) fn floor_norm(&self) -> Option<f64> {
        last_gradient(self.gradient.iter().copied())
    }

    /// The entry of the history. A contested gradient is omitted, so that it fires no check.
    pub(super) fn moment(&self, epoch: u64) -> Moment {
        let gradient = self.floor_norm().filter(|_| !self.contested);
        Moment { epoch, growth: self.growth(), gradient, error: self.error }
    }
}

fn d2(p: f64, error: Option<f64>, limits: &Thresholds) -> Outcome {
    reference_validity(Some(at_floor(p)), error.or(Some(f64::INFINITY)), limits)
}

/// What the loss changes of a state say about the dumped gradient there.
fn tested(dump: &Dump, l: usize) -> Option<Tested> {
    let gradient = dump.gradients.as_ref()?.layers.get(l)?;
    test(gradient, dump.loss_changes.get(l)?.as_ref()?)
}

fn logits(head: &Head, h: &DumpRows) -> DumpRows {
    DumpRows { values: head.logits(&h.values), width: head.classes() }
}
