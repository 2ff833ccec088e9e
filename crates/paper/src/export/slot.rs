//! Which files of the paper a run belongs in.

use super::contribution::{self, Contribution};
use super::facts::{Facts, Shape};
use super::python;
use crate::files::Results;
use record::Run;

/// A file and a key in it, for which runs may compete.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Path below the export's folder.
    pub(super) file: String,
    /// Path of keys in the file.
    pub(super) key: String,
    pub(super) contribute: fn(&Run, &Facts) -> Result<Contribution, String>,
    /// Files that a script draws together must hold runs of one network size; they share a contest.
    pub(super) contest: String,
    /// The paper's network size.
    pub(super) preferred: Shape,
}

const MAIN: Shape = Shape { d: 256, blocks: 4, alpha: None };
const DEEP: Shape = Shape { d: 512, blocks: 12, alpha: None };
const VIT: Shape = Shape { d: 128, blocks: 4, alpha: None };
const STUDENT: Shape = Shape { d: 128, blocks: 4, alpha: Some(1.0) };

/// All slots that a run qualifies for; the error says why there is none.
pub(super) fn slots(facts: &Facts) -> Result<Vec<Slot>, String> {
    let Facts { rule, penalty, seed, data, net, shape, .. } = facts;
    if !facts.skip {
        return Err("`net.skip` is false, and the paper's networks are residual".to_owned());
    }
    let penalised = *penalty != 0.0;
    let found = match (data.as_str(), net.as_str()) {
        ("cifar10", "resmlp") if penalised && facts.out_ln && rule == "dfa" => vec![Slot {
            file: format!("results/dfa_residual_penalty/dfa_pen_lam{}_s{seed}.json", python::repr(*penalty)),
            key: "log".to_owned(),
            contribute: contribution::penalised,
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
            let results = Results::METHODS.contains(&rule.as_str()).then(|| Slot {
                file: format!("results/{folder}/results_cifar10.json"),
                key: format!("{seed}/{rule}"),
                contribute: contribution::method,
                // Seeds are averaged, so they share one contest.
                contest: "results".to_owned(),
                preferred: DEEP,
            });
            let folder = "snapshot_evolution_v2/snapshot";
            let snapshot = snapshot(facts, &format!("{folder}_evolution"), None, MAIN);
            let snapshot = snapshot.map(|slot| Slot { contest: evolution(*seed), ..slot });
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
            // FA's file name does not contain α and L, so they compete like the width. α = 0.2 and α = 0.25 share a
            // file name; the α in the name is preferred.
            let named = Shape { d: STUDENT.d, blocks: shape.blocks, alpha: alpha.parse().ok() };
            let preferred = if rule == "fa" { STUDENT } else { named };
            let slot = snapshot(facts, &name, Some(&fa), preferred);
            slot.map(|slot| Slot { contest: slot.file.clone(), ..slot }).into_iter().collect()
        }
        _ => return Err(format!("the paper has no file for data `{data}` with network `{net}`")),
    };
    if found.is_empty() {
        return Err(format!("the paper has no file for rule `{rule}` on {data} with {net}"));
    }
    Ok(found)
}

/// The slot of a log of norms: BP and DFA share a file, FA may have its own.
fn snapshot(facts: &Facts, pair: &str, fa: Option<&str>, preferred: Shape) -> Option<Slot> {
    let Facts { rule, seed, .. } = facts;
    let name = match rule.as_str() {
        "bp" | "dfa" => pair,
        "fa" => fa?,
        _ => return None,
    };
    let folder = name.split('/').next().unwrap_or_default();
    Some(Slot {
        file: format!("results/{name}_s{seed}.json"),
        key: format!("{rule}_log"),
        contribute: contribution::snapshot,
        contest: format!("{folder}, seed {seed}"),
        preferred,
    })
}

/// Penalised and plain runs of one seed are drawn in one panel, so they share a contest.
fn evolution(seed: i64) -> String {
    format!("evolution, seed {seed}")
}
