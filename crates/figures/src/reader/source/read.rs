//! One trial for each key of a file.

use super::log::{of_method, of_penalised, of_snapshot, sorted};
use super::manifest::hashes;
use super::place::Place;
use crate::reader::origin::sha256;
use crate::reader::{ETA, EpochPoint, Kind, Layers, Note, Origin, ReadError, Setting, Trial};
use protocol::Thresholds;
use record::Measured;
use record::source::{
    Diagnostics, Method, Penalised, Results, SAMPLES, Snapshot, SourceFile, read_leniently,
};
use std::path::Path;

/// `results_cifar10.json`: a trial for each seed and method.
pub(crate) fn results(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let Results(seeds) = content(path, notes)?;
    let (place, hash) = (Place::of(path), hash(path)?);
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
            let setting = Setting { blocks: blocks.map(|blocks| blocks as u64), ..place.setting.clone() };
            let mut trial = trial(path, &hash, &key, &rule, setting, epochs);
            (trial.seed, trial.origin.seed) = (number, number);
            trial.final_layers = layers(path, &key, &method, notes);
            trial.drift = drift(&method);
            trials.push(trial);
        }
    }
    Ok(trials)
}

/// `snapshot_*.json`: a trial for each log.
pub(crate) fn snapshot(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let snapshot: Snapshot = content(path, notes)?;
    let (place, hash) = (Place::of(path), hash(path)?);
    if place.setting == Setting::default() {
        notes.push(Note::whole(path, "neither its name nor its folder's tells data and network"));
    }
    let configured = snapshot.config.as_ref().and_then(|config| config.get("seed")?.as_u64());
    if let (Some(named), Some(configured)) = (place.seed, configured)
        && named != configured
    {
        let what = format!("is {configured}, while the file's name says {named}: the name is followed");
        notes.push(Note::at(path, "config/seed", what));
    }
    let seed = place.seed.or(configured);
    let mut trials = Vec::new();
    for (key, log) in snapshot.logs() {
        let layers = log.iter().map(|entry| entry.hidden().len().max(entry.gradient().len())).max();
        let blocks = layers.and_then(|layers| layers.checked_sub(1)).map(|blocks| blocks as u64);
        if let (Some(named), Some(blocks)) = (place.setting.blocks, blocks)
            && named != blocks
        {
            let problem = format!("`{key}` has norms of {blocks} blocks, the file's name says L{named}");
            return Err(ReadError::malformed(path, problem));
        }
        let setting = Setting { blocks: blocks.or(place.setting.blocks), ..place.setting.clone() };
        let rule = key.strip_suffix("_log").unwrap_or(key);
        let epochs = sorted(path, key, of_snapshot(log))?;
        let mut trial = trial(path, &hash, key, rule, setting, epochs);
        (trial.seed, trial.origin.seed) = (seed, seed);
        trials.push(trial);
    }
    Ok(trials)
}

/// `dfa_pen_lam{λ}_s{seed}.json`: DFA with a penalty.
pub(crate) fn penalised(path: &Path, notes: &mut Vec<Note>) -> Result<Vec<Trial>, ReadError> {
    let Penalised { lam, log } = content(path, notes)?;
    let (place, hash) = (Place::of(path), hash(path)?);
    let penalty = match (lam, place.penalty) {
        (Some(lam), Some(named)) if lam != named => {
            let problem = format!("`lam` is {lam}, while the file's name says {named}: one of them is wrong");
            return Err(ReadError::malformed(path, problem));
        }
        (lam, named) => lam.or(named).ok_or_else(|| {
            ReadError::malformed(
                path,
                "has no key `lam`, and its name, unlike dfa_pen_lam0.01_s42.json, does not tell λ",
            )
        })?,
    };
    let epochs = sorted(path, "log", of_penalised(&log))?;
    let mut trial = trial(path, &hash, "log", "dfa", place.setting, epochs);
    trial.penalty = penalty;
    (trial.seed, trial.origin.seed) = (place.seed, place.seed);
    Ok(vec![trial])
}

fn content<T: SourceFile>(path: &Path, notes: &mut Vec<Note>) -> Result<T, ReadError> {
    let reading = read_leniently::<T>(path)?;
    notes.extend(reading.extra.into_iter().map(|key| Note::at(path, key, "an extra key, not read")));
    let mut missing = reading.missing.into_iter();
    if let Some(first) = missing.next() {
        let more = match missing.len() {
            0 => String::new(),
            more => format!(" (and so on, {} in all)", more + 1),
        };
        notes.push(Note::whole(path, format!("{first}{more}: nothing is drawn there")));
    }
    Ok(reading.content)
}

fn hash(path: &Path) -> Result<String, ReadError> {
    std::fs::read(path).map(|bytes| sha256(&bytes)).map_err(|source| ReadError::io(path, source))
}

/// A trial with what all kinds of files have in common.
fn trial(path: &Path, hash: &str, key: &str, rule: &str, setting: Setting, epochs: Vec<EpochPoint>) -> Trial {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (recipe_hash, data_hash) = hashes(path, key).unzip();
    Trial {
        name: format!("{stem}/{key}"),
        rule: rule.to_owned(),
        penalty: 0.0,
        frozen: false,
        modifiers: String::new(),
        // All tasks of the source have ten.
        classes: Some(10),
        seed: None,
        setting,
        origin: Origin {
            kind: Kind::Source,
            path: path.to_owned(),
            key: Some(key.to_owned()),
            recipe_hash,
            data_hash,
            file_hash: Some(hash.to_owned()),
            seed: None,
        },
        status: None,
        native_samples: Some(SAMPLES),
        keys: None,
        thresholds: Thresholds::default(),
        final_layers: epochs.last().map(|epoch| epoch.layers.clone()).unwrap_or_default(),
        epochs,
        drift: Vec::new(),
        audit: None,
    }
}

/// The diagnostics. The source does not say which of its numbers can be believed, so they stand as they are.
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
        notes.push(Note::at(path, format!("{key}/diagnostics/{name}"), "not there: nothing is drawn there"));
    }
    let measured = |list: &Option<Vec<f64>>| -> Vec<Option<Measured>> {
        list.iter().flatten().map(|&value| Some(Measured::Defined { value })).collect()
    };
    let [cosine_at_input, rho_at_input, nudge_at_input] = lists.map(|(_, list)| measured(list));
    Layers { cosine_at_input, rho_at_input, nudge_at_input, ..Layers::default() }.with_gamma()
}

/// Drift of each block's first weight matrix, with holes where a block has none.
fn drift(method: &Method) -> Vec<Option<f64>> {
    let drift = method.drift.iter().flatten();
    let block = |name: &str| -> Option<usize> {
        name.strip_prefix("blocks.")?.strip_suffix(".w1.weight")?.parse().ok()
    };
    let mut found = Vec::new();
    // No network has more blocks; a number in a key must not fill the memory.
    let blocks = drift.filter_map(|(name, value)| Some((block(name)?, value))).filter(|(l, _)| *l < 1 << 16);
    for (l, &value) in blocks {
        if found.len() <= l {
            found.resize(l + 1, None);
        }
        found[l] = Some(value);
    }
    found
}
