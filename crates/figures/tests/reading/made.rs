//! Run directories and audits made by hand, with different numbers for each seed, epoch and layer.

use figures::reader::{ReadError, Records};
use record::audit::Audit;
use record::series::{COSINE, COSINE_AT_INPUT, CREDIT, GRADIENT, HIDDEN};
use record::{Epoch, Evaluation, Machine, Measured, NetworkFacts, Provenance, RunRecord, Score, Status};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A run directory about to be written.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) rule: &'static str,
    pub(crate) seed: u64,
    pub(crate) status: Status,
    /// Lines of the recipe beyond the usual ones, such as `optim.lr = 0.01`; they replace those of the same key.
    pub(crate) keys: Vec<(&'static str, &'static str)>,
    pub(crate) epochs: u64,
}

pub(crate) const BLOCKS: usize = 2;

impl Made {
    pub(crate) fn new(rule: &'static str, seed: u64) -> Self {
        Self { rule, seed, status: Status::Finished, keys: Vec::new(), epochs: 3 }
    }

    pub(crate) fn with(mut self, key: &'static str, value: &'static str) -> Self {
        self.keys.push((key, value));
        self
    }

    pub(crate) fn status(self, status: Status) -> Self {
        Self { status, ..self }
    }

    /// Stands in for the hash of the recipe: it differs where the recipe differs.
    pub(crate) fn hash(&self) -> String {
        format!("{}-{}-{:?}", self.rule, self.seed, self.keys).replace([' ', '"'], "")
    }

    pub(crate) fn epoch(&self, epoch: u64) -> Epoch {
        let t = epoch as f64;
        let seed = self.seed as f64;
        let list = |scale: f64| (0..=BLOCKS).map(move |l| scale * (1.0 + l as f64));
        Epoch {
            epoch,
            lr: (epoch > 0).then_some(1e-3),
            train: (epoch > 0).then(|| Score { loss: 2.0 / t, accuracy: 0.1 * t }),
            validation: None,
            test: Score { loss: 2.0, accuracy: 0.1 * t + seed / 10_000.0 },
            evaluation: Evaluation {
                samples: 1280,
                error: 0.9,
                growth: 2.0,
                series: [
                    HIDDEN.series(list(10.0 + t + seed)),
                    GRADIENT.series(list(0.5 / (1.0 + t))),
                    CREDIT.series(list(1.0)),
                    COSINE.series(vec![0.25 * t; BLOCKS + 1]),
                    COSINE_AT_INPUT.series([
                        Measured::Defined { value: 0.5 },
                        Measured::Unreliable { value: 0.1, why: record::Why::ReferenceBelowFloor },
                    ]),
                ]
                .into(),
                notes: BTreeMap::new(),
            },
            audit: None,
            feedback: None,
            train_seconds: 1.0,
            test_seconds: 1.0,
            evaluation_seconds: 1.0,
            audit_seconds: 0.0,
        }
    }

    /// Writes the run under its usual name.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        let epochs: Vec<Epoch> = (0..=self.epochs).map(|epoch| self.epoch(epoch)).collect();
        self.write_as(&folder.join(format!("{}-s{}", self.rule, self.seed)), &epochs)
    }

    pub(crate) fn write_as(&self, path: &Path, epochs: &[Epoch]) -> PathBuf {
        fs::create_dir_all(path).unwrap();
        let mut recipe = vec![
            ("name", "\"made\"".to_owned()),
            ("seed", self.seed.to_string()),
            ("data.name", "\"cifar10\"".to_owned()),
            ("net.name", "\"resmlp\"".to_owned()),
            ("net.d", "64".to_owned()),
            ("net.blocks", BLOCKS.to_string()),
            ("net.out_ln", "true".to_owned()),
            ("net.skip", "true".to_owned()),
            ("rule.name", format!("\"{}\"", self.rule)),
            ("rule.frozen", "false".to_owned()),
            ("rule.trainable_last", "-1".to_owned()),
            ("rule.penalty", "0.0".to_owned()),
            ("optim.lr", "0.001".to_owned()),
            ("train.epochs", self.epochs.to_string()),
            ("train.stop_after", "0".to_owned()),
        ];
        recipe.retain(|(key, _)| self.keys.iter().all(|(other, _)| other != key));
        recipe.extend(self.keys.iter().map(|(key, value)| (*key, (*value).to_owned())));
        let lines: String = recipe.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        fs::write(path.join("recipe.toml"), lines).unwrap();
        let lines: String = epochs.iter().map(|e| serde_json::to_string(e).unwrap() + "\n").collect();
        fs::write(path.join("metrics.jsonl"), lines).unwrap();
        let drift = [("blocks.0.w1.weight", 1.5), ("blocks.1.w2.weight", 9.0)];
        let record = RunRecord {
            schema: RunRecord::SCHEMA.into(),
            id: path.file_name().unwrap().to_string_lossy().into_owned(),
            rule: self.rule.into(),
            status: self.status.clone(),
            network: NetworkFacts {
                name: "resmlp".into(),
                inputs: 3,
                width: 64,
                blocks: BLOCKS,
                classes: 10,
                parameters: 1,
            },
            provenance: Provenance {
                version: "0.1.0".into(),
                recipe_hash: self.hash(),
                identity: None,
                numerics: vec![1],
                data: "cifar10".into(),
                data_hash: "data".into(),
                seed: self.seed,
                machine: Machine { cpu: "abacus".into(), cores: 1, system: "none".into() },
                threads: 1,
                started: "2026-01-01T00:00:00Z".into(),
                ended: None,
                resumed: 0,
                elsewhere: None,
            },
            drift: Some(drift.map(|(key, value)| (key.to_owned(), value)).into()),
        };
        record.write(path).unwrap();
        path.to_owned()
    }
}

/// An audit of a run after an epoch: at h_l, hidden norms 100(l + 1) and gradients (l + 1)/8; of block l, cosine
/// .5 + l/8 where it acts and .25 + l/8 at its input, ρ half of that, nudges −η times that.
pub(crate) fn audit(run: &Made, epoch: u64) -> Audit {
    let defined = |value: f64| json!({"state": "defined", "value": value});
    let evidence = |cosine: f64| {
        let nudge =
            |eta: f64| json!({"eta": eta, "change": defined(-eta * cosine), "gradient": defined(-eta)});
        json!({"cosine": defined(cosine), "spread": 0.1, "torch": cosine,
            "rho": {"value": defined(cosine / 2.0), "gradient": defined(1.0), "step": 1e-3, "enlarged": false,
                "rounding": 0.0},
            "nudges": [nudge(0.003), nudge(0.01), nudge(0.1)], "nulls": []})
    };
    let unit = |name: &str, here: f64, paper: Option<f64>| {
        json!({"unit": name, "credit": 1.0, "here": evidence(here), "paper": paper.map(evidence),
            "drift": null, "standing": "useful", "notes": []})
    };
    let state = |l: usize| {
        let l = (l + 1) as f64;
        json!({"hidden": 100.0 * l, "gradient": l / 8.0, "precisions": 1.0, "probe": null})
    };
    let mean =
        |defined: f64, units: u64| json!({"defined": defined, "units": units, "of": units, "all": defined});
    let value = json!({
        "schema": Audit::SCHEMA, "version": "0.1.0",
        "subject": {"kind": "run", "id": format!("{}-s{}", run.rule, run.seed), "group": run.rule,
            "rule": run.rule, "seed": run.seed, "frozen": false, "recipe_hash": run.hash(),
            "data_hash": "data", "checkpoint": null},
        "settings": {"samples": 1280, "directions": 32, "step": 1e-3, "etas": [0.003, 0.01, 0.1], "draws": 20,
            "null_samples": 256, "seed": 0, "probe": false, "growth": 50.0, "floor": 1e-7, "gain": 0.02,
            "solved": 0.05, "ceiling": 0.03, "direction": 0.3},
        "epoch": epoch, "samples": 1280, "accuracy": 0.4, "frozen": 0.35, "error": 0.9,
        "states": (0..=BLOCKS).map(state).collect::<Vec<_>>(),
        "units": [unit("embed", 0.375, None), unit("block 0", 0.5, Some(0.25)),
            unit("block 1", 0.625, Some(0.375))],
        "gamma": {"here": mean(0.5, 3), "paper": mean(0.3125, 2)},
        "checks": [], "verdict": {"state": "not_assessed"},
        "consistency": {"state": "not_assessed", "why": "made by hand"},
        "warnings": [], "seconds": 1.0,
    });
    serde_json::from_value(value).unwrap()
}

/// Writes JSON below a folder.
pub(crate) fn put(folder: &Path, file: &str, content: &Value) -> PathBuf {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content.to_string()).unwrap();
    path
}

pub(crate) fn read(path: &Path) -> Records {
    Records::read(&[path.to_owned()]).unwrap()
}

/// How many settings there are.
pub(crate) fn settings(records: &Records) -> usize {
    records.trials.iter().map(|trial| &trial.setting).collect::<BTreeSet<_>>().len()
}

/// The message that a user would see, without the folder.
pub(crate) fn refusal(folder: &Path, path: &Path) -> String {
    let error: ReadError = Records::read(&[path.to_owned()]).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

/// The notes as a user would see them, without the folder.
pub(crate) fn notes(folder: &Path, records: &Records) -> Vec<String> {
    let folder = format!("{}/", folder.display());
    records.notes.iter().map(|note| note.to_string().replace(&folder, "")).collect()
}
