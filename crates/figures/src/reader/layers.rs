//! Measurements by layer at one moment: norms of states and gradients, and how credit compares with the gradient in both
//! conventions. `None` in a list means not measured.

use protocol::{confirm_log, gamma_mean};
use record::audit::{Audit, Evidence, Gamma, GammaMean, UnitAudit};
use record::{Epoch, Measured};

/// η, the length of the nudges that figures show.
pub const ETA: f64 = 0.01;

/// Norms by layer, l = 0…L; some may be unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Norms {
    known: Vec<Option<f64>>,
    last: Option<f64>,
}

impl Norms {
    /// Every layer's, from l = 0 to l = L.
    pub fn all(norms: impl IntoIterator<Item = Option<f64>>) -> Self {
        let known: Vec<_> = norms.into_iter().collect();
        Self { last: known.last().copied().flatten(), known }
    }

    /// The norm at layer L alone, if L is unknown.
    pub fn only_last(last: Option<f64>) -> Self {
        Self { known: Vec::new(), last }
    }

    /// The norm at layer l alone, if L is unknown.
    pub fn only(l: usize, norm: Option<f64>) -> Self {
        let mut known = vec![None; l];
        known.push(norm);
        Self { known, last: None }
    }

    /// The norm at layer l.
    pub fn at(&self, l: usize) -> Option<f64> {
        self.known.get(l).copied().flatten()
    }

    /// The norm at layer L; `None` also if L is unknown.
    pub fn last(&self) -> Option<f64> {
        self.last
    }

    /// From l = 0; shorter than L + 1 if L is unknown.
    pub fn by_layer(&self) -> &[Option<f64>] {
        &self.known
    }

    fn is_empty(&self) -> bool {
        self.last.is_none() && self.known.iter().all(Option::is_none)
    }
}

/// Measurements by layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layers {
    /// Median ‖h_l‖, l = 0…L.
    pub hidden: Norms,
    /// Median ‖p_l‖ of per-sample gradients, l = 0…L.
    pub gradient: Norms,
    /// Cosine of a_l with p_l, at the block's input, l = 0…L−1: the paper's convention.
    pub cosine_at_input: Vec<Option<Measured>>,
    /// ρ of a_l at h_l, l = 0…L−1.
    pub rho_at_input: Vec<Option<Measured>>,
    /// Change of the loss when h_l moves against a_l by η = [`ETA`], l = 0…L−1.
    pub nudge_at_input: Vec<Option<Measured>>,
    /// Cosine where credit acts: embedding, block 0, …, block L−1.
    pub cosine: Vec<Option<Measured>>,
    /// ρ where credit acts.
    pub rho: Vec<Option<Measured>>,
    /// Nudge where credit acts.
    pub nudge: Vec<Option<Measured>>,
    /// Mean cosine in both conventions.
    pub gamma: Gamma,
}

impl Layers {
    pub(super) fn of_epoch(epoch: &Epoch) -> Self {
        let units = epoch.audit.as_ref().map_or(&[][..], |audit| &audit.units);
        let mut evaluation = epoch.evaluation.clone();
        confirm_log(&mut evaluation, units);
        let list = |cosines: &[Measured]| cosines.iter().copied().map(Some).collect::<Vec<_>>();
        Self {
            hidden: Norms::all(evaluation.hidden().into_iter().map(Some)),
            gradient: Norms::all(evaluation.gradient().into_iter().map(Some)),
            // An epoch's cosines are over all evaluation samples, those of its audit over fewer.
            cosine: list(evaluation.cosine()),
            cosine_at_input: list(evaluation.cosine_at_input()),
            ..Self::of_units(units)
        }
        .with_gamma()
    }

    pub(super) fn of_audit(audit: &Audit) -> Self {
        Self {
            hidden: Norms::all(audit.states.iter().map(|state| state.hidden)),
            gradient: Norms::all(audit.states.iter().map(|state| state.gradient)),
            gamma: audit.gamma,
            ..Self::of_units(&audit.units)
        }
    }

    fn of_units(units: &[UnitAudit]) -> Self {
        let list = |evidence: fn(&UnitAudit) -> Option<&Evidence>,
                    read: fn(&Evidence) -> Option<Measured>| {
            units.iter().map(|unit| evidence(unit).and_then(read)).collect::<Vec<_>>()
        };
        // The embedding comes first and has no input.
        let at_input = |read| list(|unit| unit.at_input.as_ref(), read).into_iter().skip(1).collect();
        let here = |read| list(|unit| unit.here.as_ref(), read);
        let nudge = |evidence: &Evidence| evidence.nudges.iter().find(|n| n.eta == ETA).map(|n| n.change);
        Self {
            cosine_at_input: at_input(|evidence| Some(evidence.cosine)),
            rho_at_input: at_input(|evidence| evidence.rho.map(|rho| rho.value)),
            nudge_at_input: at_input(nudge),
            cosine: here(|evidence| Some(evidence.cosine)),
            rho: here(|evidence| evidence.rho.map(|rho| rho.value)),
            nudge: here(nudge),
            ..Self::default()
        }
    }

    /// With Γ of its cosines.
    pub fn with_gamma(self) -> Self {
        let mean = |cosines: &[Option<Measured>]| gamma_mean(cosines.iter().flatten());
        let gamma = Gamma { here: mean(&self.cosine), at_input: mean(&self.cosine_at_input) };
        Self { gamma, ..self }
    }

    /// These, with lists that are wholly missing taken from `other`.
    pub(super) fn or(self, other: &Self) -> Self {
        fn list(mine: Vec<Option<Measured>>, theirs: &[Option<Measured>]) -> Vec<Option<Measured>> {
            if mine.iter().any(Option::is_some) { mine } else { theirs.to_vec() }
        }
        fn norms(mine: Norms, theirs: &Norms) -> Norms {
            if mine.is_empty() { theirs.clone() } else { mine }
        }
        fn mean(mine: GammaMean, theirs: GammaMean) -> GammaMean {
            if mine.of > 0 { mine } else { theirs }
        }
        Self {
            hidden: norms(self.hidden, &other.hidden),
            gradient: norms(self.gradient, &other.gradient),
            cosine_at_input: list(self.cosine_at_input, &other.cosine_at_input),
            rho_at_input: list(self.rho_at_input, &other.rho_at_input),
            nudge_at_input: list(self.nudge_at_input, &other.nudge_at_input),
            cosine: list(self.cosine, &other.cosine),
            rho: list(self.rho, &other.rho),
            nudge: list(self.nudge, &other.nudge),
            gamma: Gamma {
                here: mean(self.gamma.here, other.gamma.here),
                at_input: mean(self.gamma.at_input, other.gamma.at_input),
            },
        }
    }
}
