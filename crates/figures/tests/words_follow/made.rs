//! Trials made by hand, each with an audit that holds what it claims.

use figures::reader::{Layers, Norms, Origin, OriginKind, Setting, Trial};
use record::audit::{
    Audit, CheckId, CheckResult, Consistency, Effect, Evidence, Gamma, GammaMean, Moved, Nudge, Null,
    NullKind, Outcome, Place, Quantity, Rho, Settings, Standing, Subject, Thresholds, UnitAudit,
};
use record::{Measured, Unit, Why};

/// What is known of a rule except its name.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) accuracy: f64,
    pub(crate) frozen: f64,
    /// Where credit acts, embedding first; `None` if unreliable.
    pub(crate) cosine: [Option<f64>; 3],
    pub(crate) rho: f64,
    pub(crate) nudge: f64,
    pub(crate) growth: f64,
    pub(crate) gradient: f64,
    pub(crate) first: Option<u64>,
    /// Where D1 and D3 fire.
    pub(crate) limits: (f64, f64),
    /// What a step of the optimiser does at every unit, as a share of the loss.
    pub(crate) effect: Option<f64>,
}

/// A rule that works.
pub(crate) fn good() -> Made {
    Made {
        accuracy: 0.5,
        frozen: 0.4,
        cosine: [Some(0.5); 3],
        rho: 0.5,
        nudge: -1e-3,
        growth: 10.0,
        gradient: 1e-4,
        first: None,
        limits: (50.0, 0.02),
        effect: None,
    }
}

/// A rule whose states have grown: better than the other by the usual pair, and by nothing else.
pub(crate) fn bad() -> Made {
    Made {
        accuracy: 0.3,
        cosine: [Some(0.8), Some(0.7), None],
        rho: 0.1,
        nudge: -1e-6,
        growth: 2000.0,
        gradient: 2e-9,
        first: Some(3),
        ..good()
    }
}

fn measured(value: Option<f64>) -> Measured {
    match value {
        Some(value) => Measured::Defined { value },
        None => Measured::Unreliable { value: 0.01, why: Why::ReferenceBelowFloor },
    }
}

impl Made {
    fn checks(&self) -> Vec<CheckResult> {
        let gain = self.accuracy - self.frozen;
        let (growth, least) = self.limits;
        let rows = [
            (CheckId::D1, self.growth, growth, growth / self.growth, self.growth > growth),
            (CheckId::D2, self.gradient, 1e-7, self.gradient / 1e-7, self.gradient < 1e-7),
            (CheckId::D3, gain, least, gain - least, gain < least),
        ];
        let result = |(check, statistic, threshold, margin, fires)| CheckResult {
            check,
            outcome: if fires { Outcome::Fires } else { Outcome::Passes },
            statistic: Some(statistic),
            threshold,
            margin: Some(margin),
            first_fired: self.first.filter(|_| fires && check != CheckId::D3),
            advisory: false,
        };
        rows.map(result).to_vec()
    }

    fn units(&self) -> Vec<UnitAudit> {
        let evidence = |cosine: Option<f64>| {
            let value = measured(cosine).value().unwrap();
            let null = Null {
                kind: NullKind::FreshFeedback,
                of: Quantity::Cosine,
                draws: 20,
                samples: 1280,
                value,
                low: -0.05,
                high: 0.05,
                place: if value > 0.05 { Place::Above } else { Place::Inside },
            };
            let rho = Measured::Defined { value: self.rho };
            let change = Measured::Defined { value: self.nudge };
            Evidence {
                cosine: measured(cosine),
                estimate: None,
                spread: None,
                torch: None,
                rho: Some(Rho { value: rho, gradient: rho, step: 1e-3, enlarged: false, rounding: 0.0 }),
                nudges: vec![Nudge { eta: 0.01, change, gradient: change }],
                nulls: vec![null],
            }
        };
        let unit = |(i, cosine): (usize, &Option<f64>)| UnitAudit {
            unit: Unit::at(i),
            credit: Some(1.0),
            here: Some(evidence(*cosine)),
            at_input: None,
            drift: None,
            mean_credit: Vec::new(),
            effect: self.effect.map(|share| Effect { moved: Moved::Parameters, step: 1e-3, share }),
            standing: Standing::Mixed,
            notes: Vec::new(),
        };
        self.cosine.iter().enumerate().map(unit).collect()
    }

    pub(crate) fn trial(&self, rule: &str) -> Trial {
        let checks = self.checks();
        let mean = |all: &[Measured]| GammaMean {
            defined: None,
            units: all.iter().filter(|m| m.defined().is_some()).count() as u64,
            of: all.len() as u64,
            all: Some(all.iter().filter_map(Measured::value).sum::<f64>() / all.len() as f64),
        };
        let cosine = self.cosine.map(measured);
        let gamma = Gamma { here: mean(&cosine), at_input: mean(&cosine[1..]) };
        let audit = Audit {
            schema: Audit::SCHEMA.to_owned(),
            version: "0".to_owned(),
            subject: Subject::Dump { id: rule.to_owned(), rule: None, seed: None, hashes: Vec::new() },
            settings: Settings {
                samples: 1280,
                directions: 32,
                step: 1e-3,
                etas: vec![0.01],
                draws: 20,
                null_samples: 256,
                seed: 0,
                probe: false,
                thresholds: Thresholds { growth: self.limits.0, gain: self.limits.1, ..protocol::THRESHOLDS },
            },
            epoch: None,
            samples: 1280,
            accuracy: Some(self.accuracy),
            frozen: Some(self.frozen),
            error: Some(0.9),
            states: Vec::new(),
            units: self.units(),
            gamma,
            verdict: protocol::verdict(&checks),
            checks,
            consistency: Consistency::NotAssessed { why: "made by hand".to_owned() },
            warnings: Vec::new(),
            seconds: 1.0,
        };
        let some = |all: &[Measured]| all.iter().copied().map(Some).collect::<Vec<_>>();
        let same = |value: f64| vec![Some(Measured::Defined { value }); 3];
        let per_sample = self.gradient * 128.0;
        Trial {
            name: rule.to_owned(),
            rule: rule.to_owned(),
            penalty: 0.0,
            frozen: false,
            modifiers: String::new(),
            classes: Some(10),
            seed: Some(42),
            setting: Setting { blocks: Some(2), ..Setting::default() },
            origin: Origin {
                kind: OriginKind::Audit,
                path: rule.into(),
                key: None,
                recipe_hash: None,
                data_hash: None,
                file_hash: None,
                seed: Some(42),
            },
            status: None,
            native_samples: None,
            keys: None,
            thresholds: protocol::THRESHOLDS,
            epochs: Vec::new(),
            final_layers: Layers {
                gradient: Norms::all([Some(1e-4 * 128.0), Some(per_sample), Some(per_sample)]),
                cosine: some(&cosine),
                cosine_at_input: some(&cosine[1..]),
                rho: same(self.rho),
                nudge: same(self.nudge),
                gamma,
                ..Layers::default()
            },
            drift: Vec::new(),
            audit: Some(Box::new(audit)),
        }
    }
}
