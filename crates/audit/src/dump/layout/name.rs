//! The names of the layout and their variants.
//!
//! The separators `.`, `_` and `/` are equivalent. Between a letter and a layer's number there may be none, and the number
//! may have leading zeros. Nothing else is accepted, so that no tensor is mistaken for another.

use std::fmt;

/// What a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TensorRole {
    Hidden(usize),
    /// Gradient of the mean loss.
    MeanGradient(usize),
    /// Gradient of each sample's own loss.
    Gradient(usize),
    EmbedCredit,
    Credit(usize),
    /// Random directions at a state.
    Directions(usize),
    /// Changes of each sample's loss along them.
    LossChange(usize),
    Labels,
    Logits,
    HeadWeight,
    HeadBias,
    NormWeight,
    NormBias,
    NormEps,
    Epoch,
    Rule,
    Seed,
    Accuracy,
    FrozenAccuracy,
}

impl TensorRole {
    /// Roles without a layer, and their names.
    pub(super) const SINGLE: [(Self, &'static str); 13] = [
        (Self::EmbedCredit, "a.embed"),
        (Self::Labels, "labels"),
        (Self::Logits, "logits"),
        (Self::HeadWeight, "head.weight"),
        (Self::HeadBias, "head.bias"),
        (Self::NormWeight, "out_ln.weight"),
        (Self::NormBias, "out_ln.bias"),
        (Self::NormEps, "out_ln.eps"),
        (Self::Epoch, "epoch"),
        (Self::Rule, "rule"),
        (Self::Seed, "seed"),
        (Self::Accuracy, "accuracy"),
        (Self::FrozenAccuracy, "frozen_accuracy"),
    ];

    /// The role of a tensor by its name; none if the layout does not have the name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let plain = plain(name);
        if let Some((single, _)) = Self::SINGLE.into_iter().find(|(_, name)| self::plain(name) == plain) {
            return Some(single);
        }
        let letters = plain.find(|c: char| !c.is_ascii_alphabetic())?;
        let (letters, rest) = plain.split_at(letters);
        // At most one separator: `h..0` is not a name.
        let number = rest.strip_prefix('.').unwrap_or(rest);
        if number.len() > 6 || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let layer = number.parse().ok()?;
        Some(match letters {
            "h" => Self::Hidden(layer),
            "g" => Self::MeanGradient(layer),
            "p" => Self::Gradient(layer),
            "a" => Self::Credit(layer),
            "v" => Self::Directions(layer),
            "dl" => Self::LossChange(layer),
            _ => return None,
        })
    }
}

/// The name with `.` for all separators.
pub(super) fn plain(name: &str) -> String {
    name.replace(['_', '/'], ".")
}

impl fmt::Display for TensorRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hidden(layer) => write!(f, "h.{layer}"),
            Self::MeanGradient(layer) => write!(f, "g.{layer}"),
            Self::Gradient(layer) => write!(f, "p.{layer}"),
            Self::Credit(layer) => write!(f, "a.{layer}"),
            Self::Directions(layer) => write!(f, "v.{layer}"),
            Self::LossChange(layer) => write!(f, "dl.{layer}"),
            single => {
                let name = Self::SINGLE.iter().find(|(role, _)| role == single).map(|(_, name)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_may_vary_and_nothing_else() {
        for name in ["h.12", "h_12", "h/12", "h12", "h.012"] {
            assert_eq!(TensorRole::of(name), Some(TensorRole::Hidden(12)), "{name}");
        }
        for name in ["a.embed", "a_embed", "a/embed"] {
            assert_eq!(TensorRole::of(name), Some(TensorRole::EmbedCredit), "{name}");
        }
        for name in ["out_ln.weight", "out.ln.weight", "out_ln_weight", "out/ln/weight"] {
            assert_eq!(TensorRole::of(name), Some(TensorRole::NormWeight), "{name}");
        }
        for name in [
            "",
            "h",
            "h.",
            ".0",
            "h..1",
            "h-1",
            "h.1.",
            "H.1",
            "x.1",
            "ab1",
            "h.1000000",
            "h.-1",
            "h.+1",
            "h.1e2",
            "aembed",
            "label",
            "ħ1",
            "é",
            "head.weight.0",
            "d.1",
            "ld.1",
            "dl..1",
        ] {
            assert_eq!(TensorRole::of(name), None, "{name}");
        }
    }

    #[test]
    fn every_role_knows_itself_by_its_name() {
        let layered = [
            TensorRole::Hidden(3),
            TensorRole::MeanGradient(0),
            TensorRole::Gradient(7),
            TensorRole::Credit(1),
            TensorRole::Directions(2),
            TensorRole::LossChange(2),
        ];
        for role in layered.into_iter().chain(TensorRole::SINGLE.map(|(role, _)| role)) {
            assert_eq!(TensorRole::of(&role.to_string()), Some(role));
        }
    }
}
