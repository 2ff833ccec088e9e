//! Reads the paper's files, one trial per key.

use super::log::{of_method, of_penalised, of_snapshot, sorted};
use super::names::Named;
use crate::Manifest;
use crate::files::{Diagnostics, Method, PaperFile, Penalised, Results, SAMPLES, Snapshot, read_leniently};
use figures::reader::{ETA, EpochPoint, Layers, Note, Origin, OriginKind, ReadError, Setting, Trial};
use protocol::THRESHOLDS;
use record::{Measured, bounded};
use sha2::{Digest, Sha256};
use std::path::Path;

/// `results_cifar10.json`: one trial per seed and method.
pub(super) fn results(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let Results(seeds) = content(path, notes)?;
    let named = Named::of(path);
    let hash = hash(path)?;
    let mut trials = Vec::new();
    for (seed, methods) in seeds {
        let number = seed.parse().ok();
        if number.is_none() {
            notes.push(Note::at(path, &seed, "not a seed: its trials are drawn without one"));
        }
        for (rule, method) in methods {
            let key = format!("{seed}/{rule}");
            let epochs = of_method(&method.log);
            if epochs.is_empty() {
                notes.push(Note::at(path, format!("{key}/log"), "passed over: it has no curve"));
                continue;
            }
            let blocks = method.diagnostics.as_ref().and_then(Diagnostics::layers);
            let setting = Setting { blocks: blocks.map(|blocks| blocks as u64), ..named.setting.clone() };
            let mut trial = trial(path, &hash, &key, &rule, setting, epochs);
            trial.origin.kind = OriginKind::File("results_cifar10.json");
            trial.seed = number;
            trial.origin.seed = number;
            trial.final_layers = layers(path, &key, &method, notes);
            trial.drift = drift(&method);
            trials.push(trial);
        }
    }
    Ok(trials)
}

/// `snapshot_*.json`: one trial per log.
pub(super) fn snapshot(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let snapshot: Snapshot = content(path, notes)?;
    let named = Named::of(path);
    let hash = hash(path)?;
    if named.setting == Setting::default() {
        notes.push(Note::whole(path, "neither its name nor its folder's says which data and network"));
    }
    let configured = snapshot.config.as_ref().and_then(|config| config.get("seed")?.as_u64());
    if let (Some(by_name), Some(configured)) = (named.seed, configured)
        && by_name != configured
    {
        let what = format!("is {configured}, but the file name says {by_name}, which is used");
        notes.push(Note::at(path, "config/seed", what));
    }
    let seed = named.seed.or(configured);
    let mut trials = Vec::new();
    for (key, log) in snapshot.logs() {
        let layers = log.iter().map(|entry| entry.hidden().len().max(entry.gradient().len())).max();
        let blocks = layers.and_then(|layers| layers.checked_sub(1)).map(|blocks| blocks as u64);
        if let (Some(by_name), Some(blocks)) = (named.setting.blocks, blocks)
            && by_name != blocks
        {
            let problem = format!("`{key}` has norms of {blocks} blocks, the file name says L{by_name}");
            return Err(ReadError::malformed(path, problem));
        }
        let setting = Setting { blocks: blocks.or(named.setting.blocks), ..named.setting.clone() };
        let rule = key.strip_suffix("_log").unwrap_or(key);
        let epochs = sorted(path, key, of_snapshot(log))?;
        let mut trial = trial(path, &hash, key, rule, setting, epochs);
        trial.seed = seed;
        trial.origin.seed = seed;
        trials.push(trial);
    }
    Ok(trials)
}

/// `dfa_pen_lam{λ}_s{seed}.json`: DFA with a penalty.
pub(super) fn penalised(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let Penalised { lam, log } = content(path, notes)?;
    let named = Named::of(path);
    let hash = hash(path)?;
    let penalty = match (lam, named.penalty) {
        (Some(lam), Some(by_name)) if lam != by_name => {
            let problem = format!("`lam` is {lam}, but the file name says {by_name}");
            return Err(ReadError::malformed(path, problem));
        }
        (lam, by_name) => lam.or(by_name).ok_or_else(|| {
            let problem =
                "has no key `lam`, and its name does not contain λ as dfa_pen_lam0.01_s42.json does";
            ReadError::malformed(path, problem)
        })?,
    };
    let epochs = sorted(path, "log", of_penalised(&log))?;
    let mut trial = trial(path, &hash, "log", "dfa", named.setting, epochs);
    trial.penalty = penalty;
    trial.seed = named.seed;
    trial.origin.seed = named.seed;
    Ok(vec![trial])
}

fn content<T: PaperFile>(path: &Path, notes: &mut Vec<Note>) -> Result<T, ReadError> {
    let reading = read_leniently::<T>(path)?;
    notes.extend(reading.extra.into_iter().map(|key| Note::at(path, key, "an extra key, not read")));
    let mut missing = reading.missing.into_iter();
    if let Some(first) = missing.next() {
        let more = match missing.len() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        notes.push(Note::whole(path, format!("{first}{more}, so nothing is drawn there")));
    }
    Ok(reading.content)
}

fn hash(path: &Path) -> Result<String, ReadError> {
    let bytes = bounded::bytes(path, bounded::RECORD).map_err(|source| ReadError::io(path, source))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A trial with what all kinds of files share.
fn trial(path: &Path, hash: &str, key: &str, rule: &str, setting: Setting, epochs: Vec<EpochPoint>) -> Trial {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let run = Manifest::origin(path, key);
    Trial {
        name: format!("{stem}/{key}"),
        rule: rule.to_owned(),
        penalty: 0.0,
        frozen: false,
        modifiers: String::new(),
        // All tasks of the paper have ten classes.
        classes: Some(10),
        seed: None,
        setting,
        origin: Origin {
            kind: OriginKind::File("logs of norms"),
            path: path.to_owned(),
            key: Some(key.to_owned()),
            recipe_hash: run.as_ref().map(|run| run.recipe_hash.clone()),
            data_hash: run.map(|run| run.data_hash),
            file_hash: Some(hash.to_owned()),
            seed: None,
        },
        status: None,
        native_samples: Some(SAMPLES),
        keys: None,
        thresholds: THRESHOLDS,
        final_layers: epochs.last().map(|epoch| epoch.layers.clone()).unwrap_or_default(),
        epochs,
        drift: Vec::new(),
        audit: None,
    }
}

/// The diagnostics. The paper does not say which are unreliable, so all count as reliable.
fn layers(path: &Path, key: &str, method: &Method, notes: &mut Vec<Note>) -> Layers {
    let diagnostics = method.diagnostics.clone().unwrap_or_default();
    let nudges = diagnostics.nudging.as_ref().and_then(|nudging| {
        nudging.iter().find(|(eta, _)| eta.parse() == Ok(ETA)).map(|(_, changes)| changes.clone())
    });
    let nudging = format!("nudging/{ETA}");
    let lists = [
        ("bp_cosine", &diagnostics.bp_cosine),
        ("perturbation_rho", &diagnostics.perturbation_rho),
        (&nudging, &nudges),
    ];
    for (name, _) in lists.iter().filter(|(_, list)| list.is_none()) {
        notes.push(Note::at(path, format!("{key}/diagnostics/{name}"), "missing, so it is not drawn"));
    }
    let measured = |list: &Option<Vec<f64>>| -> Vec<Option<Measured>> {
        list.iter().flatten().map(|&value| Some(Measured::Defined { value })).collect()
    };
    let [cosine_at_input, rho_at_input, nudge_at_input] = lists.map(|(_, list)| measured(list));
    Layers { cosine_at_input, rho_at_input, nudge_at_input, ..Layers::default() }.with_gamma()
}

/// Drift of each block's first weight matrix; `None` where a block has none.
fn drift(method: &Method) -> Vec<Option<f64>> {
    let drift = method.drift.iter().flatten();
    let block = |name: &str| -> Option<usize> {
        name.strip_prefix("blocks.")?.strip_suffix(".w1.weight")?.parse().ok()
    };
    let mut found = Vec::new();
    // A limit far above any network, so that a number in a key cannot exhaust memory.
    let blocks = drift.filter_map(|(name, value)| Some((block(name)?, value))).filter(|(l, _)| *l < 1 << 16);
    for (l, &value) in blocks {
        if found.len() <= l {
            found.resize(l + 1, None);
        }
        found[l] = Some(value);
    }
    found
}
