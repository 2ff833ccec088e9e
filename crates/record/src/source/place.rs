//! Which files of the source a run belongs in.

use super::facts::{Facts, Shape};
use super::{Results, python};

/// The key under which a run stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Method { seed: String, name: String },
    BpLog,
    DfaLog,
    FaLog,
    PenalisedLog,
}

impl Slot {
    /// The path of keys in the file.
    pub(super) fn key(&self) -> String {
        match self {
            Slot::Method { seed, name } => format!("{seed}/{name}"),
            Slot::BpLog => "bp_log".to_owned(),
            Slot::DfaLog => "dfa_log".to_owned(),
            Slot::FaLog => "fa_log".to_owned(),
            Slot::PenalisedLog => "log".to_owned(),
        }
    }
}

/// A file and a key in it, for which runs may compete.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Path below the export's folder.
    pub(super) file: String,
    pub(super) slot: Slot,
    /// λ of a penalised run.
    pub(super) penalty: f64,
    /// Files drawn together hold runs of one size: those of one contest.
    pub(super) contest: String,
    /// The size shown in the source.
    pub(super) preferred: Shape,
}

const MAIN: Shape = Shape { d: 256, blocks: 4, alpha: None };
const DEEP: Shape = Shape { d: 512, blocks: 12, alpha: None };
const VIT: Shape = Shape { d: 128, blocks: 4, alpha: None };
const STUDENT: Shape = Shape { d: 128, blocks: 4, alpha: Some(1.0) };

/// All places of a run; the error says why it has none.
pub(super) fn places(facts: &Facts) -> Result<Vec<Place>, String> {
    let Facts { rule, penalty, seed, data, net, shape, .. } = facts;
    if !facts.skip {
        return Err("`net.skip` is false, and the source's networks are residual".to_owned());
    }
    let place = |file: String, slot, contest: String, preferred| Place {
        file: format!("results/{file}"),
        slot,
        penalty: *penalty,
        contest,
        preferred,
    };
    let penalised = *penalty != 0.0;
    let found = match (data.as_str(), net.as_str(), rule.as_str()) {
        ("cifar10", "resmlp", "dfa") if facts.out_ln && penalised => {
            let file = format!("dfa_residual_penalty/dfa_pen_lam{}_s{seed}.json", python::repr(*penalty));
            vec![place(file, Slot::PenalisedLog, evolution(*seed), MAIN)]
        }
        (_, _, rule) if penalised => {
            return Err(format!(
                "the source has no file for {rule} on {net} with a penalty, only for dfa on cifar10 with `net.out_ln`"
            ));
        }
        ("cifar10", "resmlp", rule) if facts.out_ln => {
            let mut found = Vec::new();
            if Results::METHODS.contains(&rule) {
                let folder = if *seed == 42 { "cifar10".to_owned() } else { format!("cifar10_seed{seed}") };
                let slot = Slot::Method { seed: seed.to_string(), name: rule.to_owned() };
                // One contest for all seeds, which are averaged.
                found.push(place(format!("{folder}/results_cifar10.json"), slot, "results".to_owned(), DEEP));
            }
            if let Some(slot) = paired(rule) {
                let file = format!("snapshot_evolution_v2/snapshot_evolution_s{seed}.json");
                found.push(place(file, slot, evolution(*seed), MAIN));
            }
            found
        }
        ("cifar10", "resmlp", rule) => {
            let contest = format!("no terminal LayerNorm, seed {seed}");
            let file = match rule {
                "fa" => format!("snapshot_fa_canonical_noln_s{seed}.json"),
                _ => format!("snapshot_noLN_s{seed}.json"),
            };
            let slot = if rule == "fa" { Some(Slot::FaLog) } else { paired(rule) };
            let file = format!("snapshot_no_outln_v1/{file}");
            slot.map(|slot| place(file, slot, contest, MAIN)).into_iter().collect()
        }
        ("cifar10", "vit", rule) => {
            let (slot, file) = match rule {
                "fa" => (Some(Slot::FaLog), format!("snapshot_fa_canonical_s{seed}.json")),
                _ => (paired(rule), format!("snapshot_vit_s{seed}.json")),
            };
            let (file, contest) = (format!("snapshot_vit_v1/{file}"), format!("vit, seed {seed}"));
            slot.map(|slot| place(file, slot, contest, VIT)).into_iter().collect()
        }
        ("teacher", "student", "fa") => {
            // The file's name does not say α and L: they compete as the width does.
            let file = format!("snapshot_synth_v1/snapshot_fa_canonical_s{seed}.json");
            vec![place(file, Slot::FaLog, format!("student, fa, seed {seed}"), STUDENT)]
        }
        ("teacher", "student", rule) => {
            let (alpha, blocks) = (format!("{:.1}", shape.alpha.unwrap_or_default()), shape.blocks);
            let file = format!("snapshot_synth_v1/snapshot_synth_a{alpha}_L{blocks}_s{seed}.json");
            // α = .2 and α = .25 have one name; the α that the name says goes first.
            let preferred = Shape { d: STUDENT.d, blocks, alpha: alpha.parse().ok() };
            let contest = file.clone();
            paired(rule).map(|slot| place(file, slot, contest, preferred)).into_iter().collect()
        }
        _ => {
            return Err(format!("the source has no file for data `{data}` with network `{net}`"));
        }
    };
    if found.is_empty() {
        return Err(format!("the source has no file for rule `{rule}` on {data} with {net}"));
    }
    Ok(found)
}

/// Penalised and vanilla runs of a seed are drawn in one panel.
fn evolution(seed: i64) -> String {
    format!("evolution, seed {seed}")
}

/// The rules that share a snapshot file.
fn paired(rule: &str) -> Option<Slot> {
    match rule {
        "bp" => Some(Slot::BpLog),
        "dfa" => Some(Slot::DfaLog),
        _ => None,
    }
}
