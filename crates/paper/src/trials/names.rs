//! Data, network, seed and λ from the names of the paper's files and folders.

use figures::reader::Setting;
use std::path::Path;

/// What a path says about its content.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Named {
    pub(super) setting: Setting,
    pub(super) seed: Option<u64>,
    pub(super) penalty: Option<f64>,
}

impl Named {
    pub(super) fn of(path: &Path) -> Self {
        // A file may be given by its bare name; its folder's name still counts.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder =
            real.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let stem = real.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut named = Self {
            setting: setting(&stem, &folder),
            seed: after(&stem, "_s").and_then(|text| text.parse().ok()),
            penalty: between(&stem, "_lam", "_s").and_then(|text| text.parse().ok()),
        };
        if named.setting.network == "student" {
            if let Some((alpha, blocks)) = student(&stem) {
                named.setting.alpha = Some(alpha);
                named.setting.blocks = Some(blocks);
            } else if let Some((alpha, _)) = only_sibling(&real, named.seed) {
                // The name of FA's file does not contain α; α comes from the file next to it.
                named.setting.alpha = Some(alpha);
            }
        }
        named
    }
}

fn setting(stem: &str, folder: &str) -> Setting {
    let known = |data: &str, network: &str, out_ln| Setting {
        data: data.to_owned(),
        network: network.to_owned(),
        out_ln,
        ..Setting::default()
    };
    let says = |word: &str| stem.contains(word) || folder.contains(word);
    if says("noLN") || says("noln") || says("no_outln") {
        known("cifar10", "resmlp", Some(false))
    } else if says("_synth") {
        known("teacher", "student", None)
    } else if says("_vit") {
        known("cifar10", "vit", None)
    } else if says("_evolution") || stem == "results_cifar10" || stem.starts_with("dfa_pen_lam") {
        known("cifar10", "resmlp", Some(true))
    } else {
        Setting::default()
    }
}

/// α and L from a stem such as `snapshot_synth_a1.0_L4_s42`.
fn student(stem: &str) -> Option<(f64, u64)> {
    let alpha = between(stem, "_synth_a", "_L")?.parse().ok()?;
    Some((alpha, between(stem, "_L", "_s")?.parse().ok()?))
}

/// α and L of the only student of that seed in the same folder.
fn only_sibling(path: &Path, seed: Option<u64>) -> Option<(f64, u64)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path.parent()?).ok()? {
        let stem = entry.ok()?.path().file_stem()?.to_string_lossy().into_owned();
        if after(&stem, "_s").and_then(|text| text.parse().ok()) == seed {
            found.extend(student(&stem));
        }
    }
    if let [only] = found[..] { Some(only) } else { None }
}

/// The text after the last `mark`.
fn after<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.rfind(mark).map(|at| &text[at + mark.len()..])
}

/// The text between the first `start` and the last `end` after it.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = &text[text.find(start)? + start.len()..];
    rest.rfind(end).map(|at| &rest[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str) -> (String, Option<u64>, Option<f64>) {
        let Named { setting, seed, penalty } = Named::of(Path::new(path));
        (setting.to_string(), seed, penalty)
    }

    #[test]
    fn names_give_the_setting() {
        let resmlp = "CIFAR-10, ResMLP".to_owned();
        assert_eq!(words("results/cifar10_seed123/results_cifar10.json"), (resmlp.clone(), None, None));
        assert_eq!(
            words("results/snapshot_evolution_v2/snapshot_evolution_s42.json"),
            (resmlp.clone(), Some(42), None)
        );
        assert_eq!(
            words("results/dfa_residual_penalty/dfa_pen_lam1e-05_s7.json"),
            (resmlp.clone(), Some(7), Some(1e-5))
        );
        let vit = ("CIFAR-10, ViT-Mini".to_owned(), Some(42), None);
        assert_eq!(words("snapshot_vit_v1/snapshot_vit_s42.json"), vit);
        assert_eq!(words("snapshot_vit_v1/snapshot_fa_canonical_s42.json"), vit);
        let noln = (format!("{resmlp} without terminal LN"), Some(42), None);
        assert_eq!(words("snapshot_no_outln_v1/snapshot_noLN_s42.json"), noln);
        assert_eq!(words("snapshot_no_outln_v1/snapshot_fa_canonical_noln_s42.json"), noln);
        assert_eq!(
            words("snapshot_synth_v1/snapshot_synth_a0.2_L6_s9.json"),
            ("teacher's labels, StudentNet L=6 α=0.2".to_owned(), Some(9), None)
        );
        assert_eq!(words("elsewhere/snapshot_mine.json"), ("unknown setting".to_owned(), None, None));
    }
}
