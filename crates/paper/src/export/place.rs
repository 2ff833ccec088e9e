//! Which files of the paper a run belongs in.

use super::facts::{Facts, Shape};
use super::piece::{self, Piece};
use super::python;
use crate::files::Results;
use record::Run;

/// A file and a key in it, for which runs may compete.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Path below the export's folder.
    pub(super) file: String,
    /// The path of keys in the file.
    pub(super) key: String,
    /// What a run puts there.
    pub(super) piece: fn(&Run, &Facts) -> Result<Piece, String>,
    /// Files drawn together hold runs of one size: those of one contest.
    pub(super) contest: String,
    /// The size shown in the paper.
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
        return Err("`net.skip` is false, and the paper's networks are residual".to_owned());
    }
    let penalised = *penalty != 0.0;
    let found = match (data.as_str(), net.as_str()) {
        ("cifar10", "resmlp") if penalised && facts.out_ln && rule == "dfa" => vec![Place {
            file: format!("results/dfa_residual_penalty/dfa_pen_lam{}_s{seed}.json", python::repr(*penalty)),
            key: "log".to_owned(),
            piece: piece::penalised,
            contest: evolution(*seed),
            preferred: MAIN,
        }],
        _ if penalised => {
            return Err(format!(
                "the paper has no file for {rule} on {net} with a penalty, only for dfa on cifar10 with `net.out_ln`"
            ));
        }
        ("cifar10", "resmlp") if facts.out_ln => {
            let folder = if *seed == 42 { "cifar10".to_owned() } else { format!("cifar10_seed{seed}") };
            let results = Results::METHODS.contains(&rule.as_str()).then(|| Place {
                file: format!("results/{folder}/results_cifar10.json"),
                key: format!("{seed}/{rule}"),
                piece: piece::method,
                // One contest for all seeds, which are averaged.
                contest: "results".to_owned(),
                preferred: DEEP,
            });
            let folder = "snapshot_evolution_v2/snapshot";
            let snapshot = snapshot(facts, &format!("{folder}_evolution"), None, MAIN);
            let snapshot = snapshot.map(|place| Place { contest: evolution(*seed), ..place });
            results.into_iter().chain(snapshot).collect()
        }
        ("cifar10", "resmlp") => {
            let folder = "snapshot_no_outln_v1/snapshot";
            let fa = format!("{folder}_fa_canonical_noln");
            snapshot(facts, &format!("{folder}_noLN"), Some(&fa), MAIN).into_iter().collect()
        }
        ("cifar10", "vit") => {
            let folder = "snapshot_vit_v1/snapshot";
            let fa = format!("{folder}_fa_canonical");
            snapshot(facts, &format!("{folder}_vit"), Some(&fa), VIT).into_iter().collect()
        }
        ("teacher", "student") => {
            let folder = "snapshot_synth_v1/snapshot";
            let alpha = format!("{:.1}", shape.alpha.unwrap_or_default());
            let name = format!("{folder}_synth_a{alpha}_L{}", shape.blocks);
            let fa = format!("{folder}_fa_canonical");
            // The name of FA's file does not say α and L: they compete as the width does. α = .2 and α = .25 have one name; the
            // α that the name says goes first.
            let named = Shape { d: STUDENT.d, blocks: shape.blocks, alpha: alpha.parse().ok() };
            let preferred = if rule == "fa" { STUDENT } else { named };
            let place = snapshot(facts, &name, Some(&fa), preferred);
            place.map(|place| Place { contest: place.file.clone(), ..place }).into_iter().collect()
        }
        _ => return Err(format!("the paper has no file for data `{data}` with network `{net}`")),
    };
    if found.is_empty() {
        return Err(format!("the paper has no file for rule `{rule}` on {data} with {net}"));
    }
    Ok(found)
}

/// The place of a log of norms: BP and DFA share a file, FA may have one of its own.
fn snapshot(facts: &Facts, pair: &str, fa: Option<&str>, preferred: Shape) -> Option<Place> {
    let Facts { rule, seed, .. } = facts;
    let name = match rule.as_str() {
        "bp" | "dfa" => pair,
        "fa" => fa?,
        _ => return None,
    };
    let folder = name.split('/').next().unwrap_or_default();
    Some(Place {
        file: format!("results/{name}_s{seed}.json"),
        key: format!("{rule}_log"),
        piece: piece::snapshot,
        contest: format!("{folder}, seed {seed}"),
        preferred,
    })
}

/// Penalised and vanilla runs of a seed are drawn in one panel.
fn evolution(seed: i64) -> String {
    format!("evolution, seed {seed}")
}
