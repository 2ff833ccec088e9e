//! Compares each unit's recorded credit with what it should be, up to rounding.

use super::arithmetic::Arithmetic;
use super::checked::CheckedRecord;
use super::matrix::{distance, norm};
use super::replay::Replay;
use protocol::AGREEMENT;

/// Runs with random rounding. A sample at a tie of two classes can fall either way in each; all eight agree by chance in
/// 1 of 256 cases.
const DRAWS: u64 = 8;
/// Real rounding may exceed the largest of the draws, especially for a single value.
const MARGIN: f64 = 4.0;
/// If rounding alone may move a credit by more than this share, agreement means nothing.
const BLURRED: f64 = 1e-2;

/// What a unit's credit should be, computed in one way.
#[derive(Debug)]
pub(super) struct Expected {
    pub(super) credit: Vec<f64>,
    /// Largest ‖difference‖ under random rounding; 0 until it was measured.
    noise: f64,
}

/// Whether a unit's credit agrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Agreement {
    /// It agrees up to this relative difference.
    Sound(f64),
    /// Rounding may move it by this share, so it cannot be assessed.
    Blurred(f64),
    /// It differs, by this much.
    Wrong(f64),
}

impl Expected {
    fn new(credit: Vec<f64>) -> Self {
        Self { credit, noise: 0.0 }
    }

    /// The largest ‖difference‖ that counts as none.
    pub(super) fn tolerance(&self, share: f64) -> f64 {
        (share * norm(&self.credit)).max(MARGIN * self.noise)
    }

    fn compared_with(&self, recorded: &[f64]) -> Agreement {
        let size = norm(&self.credit);
        // Two zeros agree; a credit where there should be none is infinitely wrong.
        let relative = |x: f64| if x == 0.0 { 0.0 } else { x / size };
        let difference = distance(recorded, &self.credit);
        let noise = MARGIN * self.noise;
        if difference <= AGREEMENT * size || (difference <= noise && noise <= BLURRED * size) {
            Agreement::Sound(relative(difference))
        } else if difference <= noise || noise.is_infinite() {
            Agreement::Blurred(relative(noise))
        } else if difference.is_finite() {
            Agreement::Wrong(relative(difference))
        } else {
            Agreement::Wrong(f64::INFINITY)
        }
    }

    /// Adds the result of one draw to the noise.
    fn add_draw(&mut self, credit: &[f64]) {
        let moved = distance(credit, &self.credit);
        self.noise = if moved.is_finite() { self.noise.max(moved) } else { f64::INFINITY };
    }
}

/// The two ways to compute a unit's credit: from the weights alone, and from the credit recorded above it. Whether or not
/// a fault above propagates down the chain, one of the two stays right.
#[derive(Debug)]
pub(super) struct Expectations {
    pub(super) by_unit: Vec<Vec<Expected>>,
}

impl Expectations {
    pub(super) fn new(checked: &CheckedRecord<'_>, exact: &mut Replay) -> Self {
        let mut by_unit: Vec<Vec<Expected>> =
            exact.chain().into_iter().map(|credit| vec![Expected::new(credit)]).collect();
        for (unit, above) in checked.credit[1..].iter().enumerate() {
            by_unit[unit].push(Expected::new(exact.below(unit, above)));
        }
        Self { by_unit }
    }

    /// The credit of a unit from the weights alone.
    pub(super) fn plain(&self, unit: usize) -> &[f64] {
        &self.by_unit[unit][0].credit
    }

    /// Measures the effect of rounding on each. One draw at a time, since each has its own copy of the weights.
    pub(super) fn blur(&mut self, checked: &CheckedRecord<'_>, exact: &Replay) {
        for draw in 0..DRAWS {
            let mut replay = Replay::new(checked, Arithmetic::rounded(draw));
            for (unit, credit) in replay.chain().into_iter().enumerate() {
                self.by_unit[unit][0].add_draw(&credit);
                if unit < checked.top() {
                    let credit = replay.below(unit, &checked.credit[unit + 1]);
                    self.by_unit[unit][1].add_draw(&credit);
                }
            }
            if replay.misled(exact) {
                self.by_unit.iter_mut().for_each(|expected| expected[0].noise = f64::INFINITY);
            }
        }
    }

    /// Whether a unit's credit agrees with either way to compute it.
    pub(super) fn agreement(&self, checked: &CheckedRecord<'_>, unit: usize) -> Agreement {
        let recorded = &checked.credit[unit];
        let finite = |unit: usize| checked.credit[unit].iter().all(|x| x.is_finite());
        if checked.path.comes_down(unit) && unit < checked.top() && !finite(unit) && !finite(unit + 1) {
            // It follows from the credit above, which is not finite either.
            return Agreement::Sound(0.0);
        }
        // An expectation from a credit above that is not finite cannot be compared with.
        let usable = self.by_unit[unit].iter().filter(|e| norm(&e.credit).is_finite());
        let kinder = |a: Agreement, b: Agreement| if b.gravity() < a.gravity() { b } else { a };
        usable.map(|e| e.compared_with(recorded)).reduce(kinder).unwrap_or(Agreement::Blurred(f64::INFINITY))
    }
}

impl Agreement {
    fn gravity(self) -> (u8, f64) {
        match self {
            Self::Sound(x) => (0, x),
            Self::Blurred(x) => (1, x),
            Self::Wrong(x) => (2, x),
        }
    }
}
