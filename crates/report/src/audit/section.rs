//! The runs of a group, which differ only in their seed.

use record::audit::{Audit, AuditSet, Group};

/// A group with its audits.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    pub(super) group: &'a Group,
    pub(super) audits: Vec<&'a Audit>,
}

impl<'a> Section<'a> {
    /// The groups of a set in order, baselines (frozen runs) or the others.
    pub(super) fn of(set: &'a AuditSet, baselines: bool) -> Vec<Self> {
        let section = |group: &'a Group| Self {
            group,
            audits: group.members.iter().filter_map(|&index| set.audits.get(index)).collect(),
        };
        let wanted =
            |section: &Self| section.audits.first().is_some_and(|a| a.subject.is_frozen() == baselines);
        set.groups.iter().map(section).filter(wanted).collect()
    }

    /// Its name; that of the run where there is only one.
    pub(super) fn name(&self) -> &str {
        match self.audits.as_slice() {
            [only] => only.subject.id(),
            _ => &self.group.name,
        }
    }

    /// A value of each audit that has it.
    pub(super) fn values(&self, value: impl Fn(&Audit) -> Option<f64>) -> Vec<f64> {
        self.audits.iter().filter_map(|audit| value(audit)).collect()
    }
}
