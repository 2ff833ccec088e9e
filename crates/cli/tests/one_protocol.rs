//! One protocol for all: what `figure verdicts` draws from logs is what `audit --log` says of the same runs, whatever their
//! recipes state for thresholds and however their baselines are frozen.

use figures::catalogue::{Request, find};
use figures::plot::{AxisKind, Element};
use figures::reader::Records;
use lab::{AuditOptions, Recipe, audit_runs};
use record::Run;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A run that was never trained: a recipe, and what its log says at the end.
#[derive(Clone)]
struct Made {
    rule: &'static str,
    keys: &'static str,
    status: Value,
    accuracy: f64,
    growth: f64,
    /// ‖g_L‖ at N = 128.
    gradient: f64,
    error: f64,
}

fn healthy(rule: &'static str, keys: &'static str) -> Made {
    let status = json!({"state": "finished"});
    Made { rule, keys, status, accuracy: 0.6, growth: 2.0, gradient: 1e-4, error: 0.5 }
}

/// A number as logs write it.
fn number(x: f64) -> Value {
    if x.is_nan() { json!("nan") } else { json!(x) }
}

impl Made {
    fn epoch(&self, epoch: u64) -> Value {
        // Healthy at the start, whatever becomes of it.
        let (growth, gradient) = if epoch == 0 { (2.0, 1e-4) } else { (self.growth, self.gradient) };
        let defined = json!({"state": "defined", "value": 0.5});
        json!({
            "epoch": epoch, "lr": 1e-3, "train": null, "test": {"loss": 1.0, "accuracy": self.accuracy},
            "evaluation": {
                "samples": 100, "hidden": [1.0, 2.0, number(2.0 * growth)],
                "gradient": [1.0, 1.0, 128.0 * gradient], "credit": [1.0, 1.0, 1.0], "error": self.error,
                "growth": number(growth), "cosine": [defined, defined, defined], "cosine_paper": [defined, defined],
            },
            "train_seconds": 1.0, "evaluation_seconds": 1.0,
        })
    }

    fn write(&self, folder: &Path) {
        let text = format!(
            "data.name = 'digits'\nnet.d = 16\nnet.blocks = 2\ntrain.epochs = 2\neval.samples = 100\nseed = 1\n\
             rule.name = '{}'\n{}",
            self.rule, self.keys
        );
        let spec = Recipe::parse(&text, "made").and_then(|recipe| recipe.runs()).expect("a recipe").remove(0);
        let path = folder.join(&spec.id);
        std::fs::create_dir(&path).expect("a new run");
        let record = json!({
            "schema": "creditscope.run/1", "id": spec.id, "rule": self.rule, "status": self.status,
            "network": {"name": "resmlp", "inputs": 64, "width": 16, "blocks": 2, "classes": 10, "parameters": 1},
            "provenance": {"version": "0.1.0", "recipe_hash": spec.recipe_hash, "data": "digits", "data_hash": "data",
                "seed": 1, "machine": {"cpu": "abacus", "cores": 1, "system": "none"}, "threads": 1,
                "started": "2026-01-01T00:00:00Z", "ended": null, "resumed": 0},
            "drift": null,
        });
        let epochs: String = (0..=2).map(|epoch| format!("{}\n", self.epoch(epoch))).collect();
        for (file, text) in
            [("run.json", record.to_string()), ("recipe.toml", spec.recipe), ("metrics.jsonl", epochs)]
        {
            std::fs::write(path.join(file), text).expect("written");
        }
    }
}

/// The verdict of each rule as `audit --log` has it.
fn audited(folder: &Path) -> BTreeMap<String, String> {
    let runs: Vec<Run> = record::find_runs(folder)
        .and_then(|paths| paths.iter().map(|path| Run::read(path)).collect())
        .expect("runs");
    let options =
        AuditOptions { log_only: true, mixed: true, ..AuditOptions::new(data::Folder::at("nowhere")) };
    let set = audit_runs(&runs, &options, &|_| ()).expect("audits").sweeps.remove(0).set;
    let judged = set.audits.iter().filter(|audit| !audit.subject.is_frozen());
    judged
        .map(|audit| {
            (audit.subject.group().split('-').next().unwrap_or("").to_owned(), audit.verdict.words())
        })
        .collect()
}

/// The verdict of each rule in the last column of `figure verdicts`.
fn drawn(folder: &Path, rules: &[&str]) -> BTreeMap<String, String> {
    let records = Records::read(&[folder.to_owned()]).expect("records");
    let names = rules.iter().map(|rule| ((*rule).to_owned(), (*rule).to_owned())).collect();
    let request = Request { records, names, ..Request::default() };
    let drawing = (find("verdicts").expect("in the catalogue").draw)(&request).expect("drawn");
    let panel = drawing.figure.panels.iter().find(|panel| panel.name == "verdict").expect("a column");
    let AxisKind::Categories(rows) = &panel.y.kind else { panic!("{:?}", panel.y) };
    let verdict = |element: &Element| match element {
        Element::Remark(remark) => Some((rows[remark.at as usize].clone(), remark.text.clone())),
        _ => None,
    };
    panel.elements.iter().filter_map(verdict).collect()
}

#[test]
fn a_figure_of_logs_says_what_an_audit_of_logs_says() {
    let broken =
        json!({"state": "stopped", "reason": "the training loss became infinite", "epoch": 2, "step": 3});
    let runs = [
        healthy("bp", ""),
        Made { accuracy: 0.5, ..healthy("bp", "rule.frozen = true") },
        // Growth that the usual threshold would fire on, beside a baseline that is frozen in the other way.
        Made { growth: 60.0, ..healthy("fa", "protocol.growth = 100.0") },
        Made { accuracy: 0.5, ..healthy("fa", "rule.trainable_last = 0\nprotocol.growth = 100.0") },
        // No gain over such a baseline.
        healthy("dfa", ""),
        Made { accuracy: 0.59, ..healthy("dfa", "rule.trainable_last = 0") },
        Made { growth: f64::NAN, ..healthy("drtp", "") },
        Made {
            growth: 30.0,
            error: 0.01,
            gradient: 1e-9,
            ..healthy("sign_symmetry", "protocol.growth = 20.0")
        },
        Made { gradient: 1e-8, ..healthy("kolen_pollack", "protocol.floor = 1e-9") },
        Made { status: broken, ..healthy("state_bridge", "") },
    ];
    let folder = tempfile::tempdir().expect("a temporary folder");
    runs.iter().for_each(|run| run.write(folder.path()));
    let expected = [
        ("bp", "PASS"),
        ("fa", "PASS"),
        ("dfa", "FAIL(D3)"),
        ("drtp", "FAIL(D1)"),
        ("sign_symmetry", "FAIL(D1)"),
        ("kolen_pollack", "PASS (D3 not assessed)"),
        ("state_bridge", "FAIL(D1+D2)"),
    ];
    let rules = expected.map(|(rule, _)| rule);
    let expected: BTreeMap<String, String> =
        expected.map(|(rule, verdict)| (rule.to_owned(), verdict.to_owned())).into();
    // Drawn first: an audit leaves its file, which a figure would follow.
    let drawn = drawn(folder.path(), &rules);
    assert_eq!(audited(folder.path()), expected);
    assert_eq!(drawn, expected);
}
