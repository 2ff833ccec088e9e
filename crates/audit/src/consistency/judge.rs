//! Each unit's recorded credit against what it should be, with what rounding leaves open.

use super::arithmetic::Arithmetic;
use super::case::Case;
use super::matrix::{distance, norm};
use super::replay::Replay;
use protocol::AGREEMENT;

/// Runs with random rounding. A sample at a tie of two classes falls either way in each, so that all of them miss
/// it once in 256 cases.
const DRAWS: u64 = 8;
/// Real rounding may exceed the largest of the draws, most of all where there is a single value.
const MARGIN: f64 = 4.0;
/// Where rounding alone may move a credit by more than this share, agreement says nothing.
const BLURRED: f64 = 1e-2;

/// What a unit's credit should be, by one way of reckoning.
#[derive(Debug)]
pub(super) struct Expected {
    pub(super) credit: Vec<f64>,
    /// Largest ‖difference‖ that random rounding has brought; 0 until it was tried.
    noise: f64,
}

/// How a unit stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Standing {
    /// It agrees, but for this relative difference.
    Sound(f64),
    /// Rounding may move it by this share, so nothing can be said.
    Blurred(f64),
    /// It differs, by this much.
    Wrong(f64),
}

impl Expected {
    fn new(credit: Vec<f64>) -> Self {
        Self { credit, noise: 0.0 }
    }

    /// ‖a difference‖ that still counts as none.
    pub(super) fn tolerance(&self, share: f64) -> f64 {
        (share * norm(&self.credit)).max(MARGIN * self.noise)
    }

    fn judge(&self, recorded: &[f64]) -> Standing {
        let size = norm(&self.credit);
        // Two zeros agree; a credit where there should be none is infinitely wrong.
        let relative = |x: f64| if x == 0.0 { 0.0 } else { x / size };
        let (difference, open) = (distance(recorded, &self.credit), MARGIN * self.noise);
        if difference <= AGREEMENT * size || (difference <= open && open <= BLURRED * size) {
            Standing::Sound(relative(difference))
        } else if difference <= open || open.is_infinite() {
            Standing::Blurred(relative(open))
        } else if difference.is_finite() {
            Standing::Wrong(relative(difference))
        } else {
            Standing::Wrong(f64::INFINITY)
        }
    }

    /// Takes in what one draw gave.
    fn meet(&mut self, credit: &[f64]) {
        let moved = distance(credit, &self.credit);
        self.noise = if moved.is_finite() { self.noise.max(moved) } else { f64::INFINITY };
    }
}

/// The two ways to reckon a unit's credit: from the weights alone, and from the credit recorded above it. A fault
/// above changes the second where it ran down the chain and the first where it did not, so one of them stays right.
#[derive(Debug)]
pub(super) struct Expectations {
    /// By unit.
    pub(super) of: Vec<Vec<Expected>>,
}

impl Expectations {
    pub(super) fn new(case: &Case<'_>, exact: &mut Replay) -> Self {
        let mut of: Vec<Vec<Expected>> = exact.chain().into_iter().map(|c| vec![Expected::new(c)]).collect();
        for (unit, above) in case.credit[1..].iter().enumerate() {
            of[unit].push(Expected::new(exact.below(unit, above)));
        }
        Self { of }
    }

    /// What the weights alone give, by unit.
    pub(super) fn plain(&self, unit: usize) -> &[f64] {
        &self.of[unit][0].credit
    }

    /// Tries what rounding does to each. One draw at a time, since each has its own copy of the weights.
    pub(super) fn blur(&mut self, case: &Case<'_>, exact: &Replay) {
        for draw in 0..DRAWS {
            let mut replay = Replay::new(case, Arithmetic::rounded(draw));
            for (unit, credit) in replay.chain().into_iter().enumerate() {
                self.of[unit][0].meet(&credit);
                if unit < case.top() {
                    let credit = replay.below(unit, &case.credit[unit + 1]);
                    self.of[unit][1].meet(&credit);
                }
            }
            if replay.misled(exact) {
                self.of.iter_mut().for_each(|of| of[0].noise = f64::INFINITY);
            }
        }
    }

    /// How a unit stands by the reckoning that is kindest to it.
    pub(super) fn judge(&self, case: &Case<'_>, unit: usize) -> Standing {
        let recorded = &case.credit[unit];
        let finite = |unit: usize| case.credit[unit].iter().all(|x| x.is_finite());
        if case.path.comes_down(unit) && unit < case.top() && !finite(unit) && !finite(unit + 1) {
            // It follows from what came down, whatever that was.
            return Standing::Sound(0.0);
        }
        // What follows from a credit that is not finite above is no yardstick.
        let usable = self.of[unit].iter().filter(|e| norm(&e.credit).is_finite());
        let kinder = |a: Standing, b: Standing| if b.gravity() < a.gravity() { b } else { a };
        usable.map(|e| e.judge(recorded)).reduce(kinder).unwrap_or(Standing::Blurred(f64::INFINITY))
    }
}

impl Standing {
    fn gravity(self) -> (u8, f64) {
        match self {
            Self::Sound(x) => (0, x),
            Self::Blurred(x) => (1, x),
            Self::Wrong(x) => (2, x),
        }
    }
}
