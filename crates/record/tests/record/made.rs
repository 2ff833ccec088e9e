//! Runs made by hand, with numbers that tell rule, seed, size, epoch and layer apart.

use record::series::{COSINE, COSINE_AT_INPUT, CREDIT, GRADIENT, HIDDEN};
use record::{Epoch, Evaluation, Machine, NetworkFacts, Provenance, Run, RunRecord, Score, Status};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A finished run of `epochs` epochs, plus epoch 0, on 1024 samples.
pub(crate) fn run(
    rule: &str,
    data: &str,
    net: &str,
    (d, blocks): (usize, usize),
    seed: u64,
    epochs: u64,
) -> Run {
    let id = format!("{rule}-{data}-{net}-{d}x{blocks}-s{seed}");
    let network = NetworkFacts { name: net.into(), inputs: 3, width: d, blocks, classes: 10, parameters: 1 };
    let provenance = Provenance {
        version: "0.1.0".into(),
        recipe_hash: format!("recipe of {id}"),
        identity: None,
        numerics: vec![1],
        data: data.into(),
        data_hash: format!("data of {data}"),
        seed,
        machine: Machine { cpu: "abacus".into(), cores: 1, system: "none".into() },
        threads: 1,
        started: "2026-01-01T00:00:00Z".into(),
        ended: Some("2026-01-01T01:00:00Z".into()),
        resumed: 0,
        elsewhere: None,
    };
    let drift = (0..blocks).map(|l| (format!("blocks.{l}.w1.weight"), 0.5 + l as f64)).collect();
    let record = RunRecord {
        schema: RunRecord::SCHEMA.into(),
        id: id.clone(),
        rule: rule.into(),
        status: Status::Finished,
        network,
        provenance,
        drift: Some(drift),
    };
    let text = |s: &str| toml::Value::String(s.into());
    let mut recipe: BTreeMap<String, toml::Value> = [
        ("rule.name", text(rule)),
        ("rule.penalty", toml::Value::Float(0.0)),
        ("rule.frozen", toml::Value::Boolean(false)),
        ("rule.trainable_last", toml::Value::Integer(-1)),
        ("rule.shallow", toml::Value::Boolean(false)),
        ("rule.random_targets", toml::Value::Boolean(false)),
        ("seed", toml::Value::Integer(seed as i64)),
        ("data.name", text(data)),
        ("net.name", text(net)),
        ("net.d", toml::Value::Integer(d as i64)),
        ("net.blocks", toml::Value::Integer(blocks as i64)),
        ("net.skip", toml::Value::Boolean(true)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    // Each network has its own keys.
    match net {
        "student" => recipe.insert("net.alpha".into(), toml::Value::Float(1.0)),
        _ => recipe.insert("net.out_ln".into(), toml::Value::Boolean(true)),
    };
    let tell = (d * blocks) as f64 + seed as f64 / 1000.0;
    let epochs = (0..=epochs).map(|e| epoch(e, blocks, tell)).collect();
    Run { path: PathBuf::from("runs").join(id), record, recipe, epochs }
}

/// The usual: CIFAR-10 on `resmlp`.
pub(crate) fn cifar(rule: &str, size: (usize, usize), seed: u64, epochs: u64) -> Run {
    run(rule, "cifar10", "resmlp", size, seed, epochs)
}

fn epoch(epoch: u64, blocks: usize, tell: f64) -> Epoch {
    let t = epoch as f64;
    let norms = |scale: f64| (0..=blocks).map(move |l| scale * (1.0 + l as f64));
    Epoch {
        epoch,
        lr: (epoch > 0).then_some(1e-3),
        train: (epoch > 0).then(|| Score { loss: 2.3 / t, accuracy: 0.1 + 0.01 * t }),
        validation: Some(Score { loss: 2.1, accuracy: 0.19 + 0.01 * t }),
        test: Score { loss: 2.0, accuracy: 0.2 + 0.01 * t },
        evaluation: Evaluation {
            samples: 1024,
            error: 0.9,
            growth: 2.0,
            series: [
                HIDDEN.series(norms(tell * (t + 1.0))),
                GRADIENT.series(norms(tell / (t + 3.0))),
                CREDIT.series(norms(1.0)),
                COSINE.series(vec![1.0; blocks + 1]),
                COSINE_AT_INPUT.series((0..blocks).map(|l| 0.1 * t + l as f64 / 64.0)),
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
