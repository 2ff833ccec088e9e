//! A tree in the paper's schema with numbers made at random, so that no two lines are alike.

use serde_json::{Map, Value, json};
use std::path::Path;

/// Numbers from 0 to 1, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn list(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(low, high)).collect()
    }

    /// Powers of ten between two exponents.
    fn powers(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| 10f64.powf(self.between(low, high))).collect()
    }
}

/// Blocks of the networks whose norms are logged; a file's name says so.
const BLOCKS: usize = 4;

/// Writes the files that the five scripts read.
pub(crate) fn write(root: &Path, seed: u64) {
    let mut random = Random(seed);
    // From a network as deep as the other files' to the deepest that the script draws.
    let blocks = [BLOCKS, 12][(seed % 2) as usize];
    let epochs = random.between(2.0, 9.0) as usize;
    for (seed, folder) in [("42", "cifar10"), ("123", "cifar10_seed123"), ("456", "cifar10_seed456")] {
        let rules = ["bp", "dfa", "state_bridge", "credit_bridge"];
        let methods: Map<String, Value> = rules
            .iter()
            .map(|rule| ((*rule).to_owned(), method(&mut random, rule, epochs, blocks)))
            .collect();
        put(root, &format!("{folder}/results_cifar10.json"), &json!({ seed: methods }));
    }
    let keys = ("hidden_norms", "bp_grad_norms_per_sample_med");
    let of_vit = ("hidden_norms_cls", "bp_grad_per_sample_l2_med");
    for (pair, fa, keys) in [
        ("snapshot_vit_v1/snapshot_vit_s42", "snapshot_vit_v1/snapshot_fa_canonical_s42", of_vit),
        (
            "snapshot_no_outln_v1/snapshot_noLN_s42",
            "snapshot_no_outln_v1/snapshot_fa_canonical_noln_s42",
            keys,
        ),
        ("snapshot_synth_v1/snapshot_synth_a1.0_L4_s42", "snapshot_synth_v1/snapshot_fa_canonical_s42", keys),
    ] {
        let [bp, dfa, of_fa] = [(); 3].map(|()| snapshot(&mut random, keys));
        put(root, &format!("{pair}.json"), &json!({"bp_log": bp, "dfa_log": dfa}));
        put(root, &format!("{fa}.json"), &json!({"fa_log": of_fa}));
    }
    let [bp, dfa] = [(); 2].map(|()| snapshot(&mut random, keys));
    put(
        root,
        "snapshot_evolution_v2/snapshot_evolution_s42.json",
        &json!({"bp_log": bp, "dfa_log": dfa, "config": {"seed": 42}}),
    );
    for lambda in [0.001, 0.01] {
        let file = format!("dfa_residual_penalty/dfa_pen_lam{lambda}_s42.json");
        put(root, &file, &json!({"lam": lambda, "log": penalised(&mut random)}));
    }
}

fn method(random: &mut Random, rule: &str, epochs: usize, blocks: usize) -> Value {
    let mut log = json!({
        "train_acc": random.list(epochs, 0.1, 0.9),
        "test_acc": random.list(epochs, 0.1, 0.9),
        "train_loss": random.list(epochs, 0.5, 2.5),
    });
    if rule == "state_bridge" {
        log["state_pred_error"] = json!(random.powers(epochs, -6.0, 0.0));
    }
    let drift: Map<String, Value> = random
        .powers(blocks, -1.0, 3.0)
        .into_iter()
        .enumerate()
        .map(|(l, value)| (format!("blocks.{l}.w1.weight"), json!(value)))
        .collect();
    json!({
        "log": log,
        "diagnostics": {
            "bp_cosine": random.list(blocks, -1.0, 1.0),
            "perturbation_rho": random.list(blocks, -1.0, 1.0),
            "nudging": {"0.01": random.list(blocks, -0.1, 0.1)},
        },
        "drift": drift,
    })
}

fn snapshot(random: &mut Random, (hidden, gradient): (&str, &str)) -> Value {
    let epochs = random.between(2.0, 9.0) as usize;
    let entry = |epoch: usize, random: &mut Random| {
        json!({
            "epoch": epoch,
            hidden: random.powers(BLOCKS + 1, 0.0, 9.0),
            gradient: random.powers(BLOCKS + 1, -11.0, -2.0),
            "acc_eval": random.between(0.1, 0.9),
        })
    };
    (1..=epochs).map(|epoch| entry(epoch, random)).collect()
}

/// Every fifth epoch, as the paper logs them.
fn penalised(random: &mut Random) -> Value {
    let entry = |i: usize, random: &mut Random| {
        json!({
            "epoch": 1 + 5 * i,
            "h_L_norm": random.powers(1, 0.0, 9.0)[0],
            "g_2_norm": random.powers(1, -11.0, -2.0)[0],
            "acc_eval": random.between(0.1, 0.9),
        })
    };
    (0..4).map(|i| entry(i, random)).collect()
}

fn put(root: &Path, file: &str, content: &Value) {
    let path = root.join("results").join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, serde_json::to_string(content).unwrap()).unwrap();
}
