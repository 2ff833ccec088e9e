//! What speaks against the reference of a dump: loss changes or a head that contradict it, or credit that is the very same
//! numbers.

use super::overview::Overview;
use super::tested::Tested;
use crate::dump::layout::credit;
use crate::dump::{Dump, DumpRows};
use protocol::{JUMP, accuses};
use record::audit::{Verdict, Warning};
use record::{Unit, Why};

/// Credit and reference are the same numbers if they differ by less than this share, whatever their scale.
const SAME: f64 = 1e-6;

impl Overview {
    /// Warns of all that speaks against the reference.
    pub(super) fn doubt(&mut self, dump: &Dump) {
        let states = |wanted: fn(&Tested) -> bool| -> Vec<u64> {
            let at = self.tested.iter().enumerate();
            at.filter(|(_, tested)| tested.as_ref().is_some_and(wanted)).map(|(l, _)| l as u64).collect()
        };
        let contradicted = states(|tested| matches!(tested, Tested::Contradicted(_)));
        let rounded = states(|tested| matches!(tested, Tested::Rounded));
        if !contradicted.is_empty() {
            let numbers = contradicted.iter().filter_map(|&l| self.tested[l as usize]?.numbers());
            let rho = numbers.map(|test| test.rho).fold(f64::INFINITY, f64::min);
            self.warnings.push(Warning::ReferenceContradicted { states: contradicted, rho });
        }
        self.nothing_compared = self.is_the_same(dump);
        if self.nothing_compared {
            self.warnings.push(Warning::NothingCompared);
        }
        if !rounded.is_empty() {
            self.warnings.push(Warning::LossChangesRounded { states: rounded });
        }
        self.warnings.extend(self.jump());
    }

    /// Why a cosine with the gradient at h_l is unreliable, if it is.
    pub(super) fn doubted(&self, dump: &Dump, l: usize) -> Option<Why> {
        let by_head = |warning: &Warning| matches!(warning, Warning::ReferenceDiffers { .. });
        let accused = || self.warnings.iter().filter(|warning| accuses(warning));
        match self.tested.get(l).copied().flatten() {
            Some(Tested::Contradicted(_)) => Some(Why::NotTheGradient),
            Some(Tested::Holds(_)) => None,
            _ if l == dump.blocks && accused().any(by_head) => Some(Why::NotTheGradient),
            _ if accused().next().is_some() => Some(Why::ReferenceDoubtful),
            _ => (self.nothing_compared && l < dump.blocks).then_some(Why::SameNumbers),
        }
    }

    /// What checks add up to, where the reference may be none.
    pub(super) fn verdict(&self, verdict: Verdict) -> Verdict {
        let accused = self.warnings.iter().any(accuses);
        let empty = self.nothing_compared && matches!(verdict, Verdict::Pass { .. });
        if accused || empty { Verdict::NotAssessed } else { verdict }
    }

    /// Whether the credit of every unit below the last is the reference itself, and nothing shows that this is the gradient.
    fn is_the_same(&self, dump: &Dump) -> bool {
        let units: Vec<usize> = (0..dump.blocks).filter(|&unit| credit(dump, unit).is_some()).collect();
        let same = |&unit: &usize| {
            let both = credit(dump, unit).zip(self.reference(dump, unit));
            both.is_some_and(|(credit, gradient)| same(credit, gradient))
        };
        let holds = |&unit: &usize| matches!(self.tested[unit], Some(Tested::Holds(_)));
        let is_bp = dump.about.rule.as_deref() == Some("bp");
        !units.is_empty() && !is_bp && units.iter().all(same) && !units.iter().all(holds)
    }

    /// The largest change of ‖p‖ over a block whose sides are not both confirmed, if it is worth a hint.
    fn jump(&self) -> Option<Warning> {
        let holds = |l: usize| matches!(self.tested[l], Some(Tested::Holds(_)));
        let sides = self.gradient.windows(2).enumerate();
        let jumps = sides.filter(|(l, _)| !(holds(*l) && holds(l + 1))).filter_map(|(l, sides)| {
            let ratio = sides[0]? / sides[1]?;
            Some((l, ratio.max(1.0 / ratio))).filter(|(_, factor)| factor.is_finite())
        });
        let (block, factor) = jumps.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (factor >= JUMP).then_some(Warning::GradientJumps { unit: Unit::at(block + 1), factor })
    }
}

/// Whether one signal is a positive multiple of another.
fn same(a: &DumpRows, b: &DumpRows) -> bool {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    if a.values.len() != b.values.len() {
        return false;
    }
    let scale = dot(&a.values, &b.values) / dot(&b.values, &b.values);
    let apart: f64 = a.values.iter().zip(&b.values).map(|(a, b)| (a - scale * b).powi(2)).sum();
    scale > 0.0 && apart <= SAME * SAME * dot(&a.values, &a.values)
}
