//! Synthetic records for tests of layout: every kind of trial that figures know, with any number of rules, seeds and
//! epochs, and with everything that can be wrong in them.

mod audit;

use audit::audit;
use figures::reader::{EpochPoint, Layers, Norms, Origin, OriginKind, Records, Setting, Trial};
use protocol::baseline::{TrainingKeys, as_written};
use record::audit::{Gamma, GammaMean};
use record::normalise::NAMES;
use record::series::{At, COSINE, COSINE_AT_INPUT, GRADIENT, HIDDEN, Series};
use record::{Measured, Status, Why};
use std::path::PathBuf;

/// What to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rules: usize,
    pub(crate) seeds: usize,
    pub(crate) epochs: u64,
    pub(crate) blocks: usize,
    /// Whether rules have names of about eighty letters.
    pub(crate) long: bool,
    /// Whether some values are missing, NaN, infinite or zero.
    pub(crate) broken: bool,
}

/// Names of rules, the known ones first.
fn rule(i: usize, long: bool) -> String {
    let known = [
        "bp",
        "dfa",
        "state_bridge",
        "fa",
        "credit_bridge",
        "ep",
        "sign_symmetry",
        "kolen_pollack",
        "drtp",
        "my_own_rule",
    ];
    let name = known[i % known.len()];
    if long && i > 1 {
        format!("{name}_with_100%_of_its_modifiers_and_a_$very$_long_name_that_nobody_would_type_{i}")
    } else {
        name.to_owned()
    }
}

/// A number in [0, 1) that depends only on the arguments.
fn chance(a: u64, b: u64, c: u64) -> f64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f) ^ c;
    for _ in 0..3 {
        x ^= x >> 29;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// Trials of the main network, of the others that figures compare, with penalties and frozen blocks.
pub(crate) fn records(plan: Plan) -> Records {
    let main = Setting {
        data: "cifar10".to_owned(),
        network: "resmlp".to_owned(),
        out_ln: Some(true),
        d: Some(256),
        blocks: Some(plan.blocks as u64),
        epochs: Some(plan.epochs),
        ..Setting::default()
    };
    let no_ln = Setting { out_ln: Some(false), ..main.clone() };
    let student = Setting { network: "student".to_owned(), data: "teacher".to_owned(), ..main.clone() };
    let mut trials = Vec::new();
    for i in 0..plan.rules {
        for s in 0..plan.seeds {
            let made = |setting: &Setting, penalty: f64, frozen: bool| {
                trial(plan, i, s, setting.clone(), penalty, frozen)
            };
            trials.push(made(&main, 0.0, false));
            trials.push(made(&main, 0.0, true));
            trials.push(made(&no_ln, 0.0, false));
            trials.push(made(&student, 0.0, false));
            if i < 2 {
                trials.extend([1e-4, 1e-3, 1e-2].map(|penalty| made(&main, penalty, false)));
            }
        }
    }
    // Fewer than those of the main network, which other figures are to show.
    trials.extend(normalised(Plan { rules: plan.rules.min(3), ..plan }).trials);
    Records { trials, ..Records::default() }
}

/// Trials that differ in what credit is divided by, and in clipping.
pub(crate) fn normalised(plan: Plan) -> Records {
    let mut trials = Vec::new();
    for (i, s) in (0..plan.rules).flat_map(|i| (0..plan.seeds).map(move |s| (i, s))) {
        for (clip, name) in [0.0, 1.0].into_iter().flat_map(|clip| NAMES.map(|name| (clip, name))) {
            let setting = Setting {
                data: "digits".to_owned(),
                network: "resmlp".to_owned(),
                epochs: Some(plan.epochs),
                other: vec![format!("optim.clip = {clip:?}")],
                ..Setting::default()
            };
            let recipe = format!("seed = {s}\nrule.normalise = '{name}'\noptim.clip = {clip:?}\n");
            let recipe = record::flatten(recipe.parse().expect("TOML"));
            trials.push(Trial {
                keys: Some(TrainingKeys::of(&recipe, &as_written)),
                modifiers: format!("normalise = {name}"),
                ..trial(plan, i, s, setting, 0.0, false)
            });
        }
    }
    Records { trials, ..Records::default() }
}

fn trial(plan: Plan, i: usize, s: usize, setting: Setting, penalty: f64, frozen: bool) -> Trial {
    let rule = rule(i, plan.long);
    let seed = s as u64;
    // How far the rule is from backpropagation.
    let bad = i as f64 / 2.0 * if penalty > 0.0 { 0.3 } else { 1.0 };
    let epochs = (0..=plan.epochs).map(|epoch| point(plan, i as u64, seed, epoch, bad)).collect::<Vec<_>>();
    let layers = epochs.last().map(|e| e.layers.clone()).unwrap_or_default();
    let accuracy = epochs.last().and_then(|e| e.test_accuracy);
    let drift = |l: usize| {
        (!plan.broken || l != 1).then(|| 0.3 * 10f64.powf(bad) * (1.0 + chance(i as u64, seed, l as u64)))
    };
    Trial {
        name: format!("{rule}-s{seed}"),
        rule: rule.clone(),
        penalty,
        frozen,
        modifiers: String::new(),
        classes: Some(10),
        seed: Some(seed),
        setting,
        origin: Origin {
            kind: OriginKind::Run,
            path: PathBuf::from(format!("runs/{rule}-s{seed}")),
            key: None,
            recipe_hash: None,
            data_hash: None,
            file_hash: None,
            seed: Some(seed),
        },
        status: Some(Status::Finished),
        native_samples: None,
        keys: None,
        thresholds: protocol::THRESHOLDS,
        final_layers: layers,
        drift: (0..plan.blocks).map(drift).collect(),
        audit: (!frozen).then(|| Box::new(audit(plan, &rule, i as u64, seed, bad, accuracy))),
        epochs,
    }
}

fn point(plan: Plan, i: u64, seed: u64, epoch: u64, bad: f64) -> EpochPoint {
    let t = 1.0 - (-(epoch as f64) / (plan.epochs.max(1) as f64 / 6.0)).exp();
    let noise = |k: u64| chance(i * 31 + seed, epoch, k) - 0.5;
    let spoil = |k: u64, v: f64| match (plan.broken, (epoch + k + i) % 7) {
        (true, 2) => f64::NAN,
        (true, 3) => f64::INFINITY,
        (true, 4) => 0.0,
        _ => v,
    };
    let count = plan.blocks as u64;
    let norm = |l: u64| {
        spoil(l, 10.0 * 10f64.powf(bad * 2.0 * t * (l as f64 / count as f64)) * (1.0 + 0.1 * noise(l)))
    };
    let gradient = |l: u64| spoil(l + 1, 0.1 * 10f64.powf(-bad * 2.0 * t * (l as f64 / count as f64)));
    let unit = |l: u64| Some(measured(plan, 1.0 - bad * 0.4 + 0.3 * noise(l + 20), l + i));
    let list = |n: u64| (0..n).map(unit).collect::<Vec<_>>();
    let defined = Some(1.0 - bad * 0.4 + 0.1 * noise(90));
    let gamma = GammaMean { defined, units: count, of: count, all: defined };
    EpochPoint {
        epoch,
        train_accuracy: (epoch > 0).then(|| 0.1 + 0.5 * t / (1.0 + bad) + 0.01 * noise(50)),
        test_accuracy: Some(0.1 + 0.45 * t / (1.0 + bad) + 0.01 * noise(51)),
        train_loss: Some(2.3 - t),
        state_error: (i == 2).then(|| spoil(3, 10f64.powf(-5.0 * t))),
        error: Some(0.5),
        growth: Some(1.0 + 10f64.powf(bad * 2.0 * t)),
        layers: Layers {
            hidden: Norms::all((0..=count).map(|l| Some(norm(l)))),
            gradient: Norms::all((0..=count).map(|l| Some(gradient(l)))),
            cosine_at_input: list(count),
            rho_at_input: list(count),
            nudge_at_input: list(count),
            cosine: list(count + 1),
            rho: list(count + 1),
            nudge: list(count + 1),
            gamma: Gamma { here: gamma, at_input: gamma },
        },
        series: [
            HIDDEN.series((0..=count).map(norm)),
            GRADIENT.series((0..=count).map(gradient)),
            COSINE.series(list(count + 1).into_iter().flatten()),
            COSINE_AT_INPUT.series(list(count).into_iter().flatten()),
            (
                "of_a_newer_program".to_owned(),
                Series { at: At::Unit, values: vec![0.5.into(), (-3.0).into()] },
            ),
        ]
        .into(),
        audit: None,
    }
}

fn measured(plan: Plan, value: f64, k: u64) -> Measured {
    match k % 5 {
        3 => Measured::Unreliable { value, why: Why::ReferenceBelowFloor },
        4 if plan.broken => Measured::Undefined { why: Why::NotFinite },
        _ => Measured::Defined { value },
    }
}
