//! The names of the layout, and how much they may vary.
//!
//! Three signs separate the parts of a name and mean the same: `.`, `_` and `/`. Between a letter and a layer's
//! number there may be none, and the number may have leading zeros. Nothing else is tolerated, so that no tensor is
//! taken for what it is not.

use std::fmt;

/// What a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Hidden(usize),
    /// Gradient of the mean loss.
    MeanGradient(usize),
    /// Gradient of each sample's own loss.
    Gradient(usize),
    EmbedCredit,
    Credit(usize),
    Labels,
    Logits,
    HeadWeight,
    HeadBias,
    NormWeight,
    NormBias,
    NormEps,
    Epoch,
}

impl Role {
    /// Roles without a layer.
    pub(super) const SINGLE: [Self; 9] = [
        Self::EmbedCredit,
        Self::Labels,
        Self::Logits,
        Self::HeadWeight,
        Self::HeadBias,
        Self::NormWeight,
        Self::NormBias,
        Self::NormEps,
        Self::Epoch,
    ];

    /// What a tensor of this name is; none where the layout does not know the name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let plain = plain(name);
        if let Some(single) = Self::SINGLE.into_iter().find(|role| self::plain(&role.to_string()) == plain) {
            return Some(single);
        }
        let layered = [Self::Hidden, Self::MeanGradient, Self::Gradient, Self::Credit];
        let number = plain.get(1..)?.trim_start_matches('.');
        // One separator at most, or `h..0` would be a name.
        if number.len() + 2 < plain.len() || number.len() > 6 || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let layer = number.parse().ok()?;
        layered.into_iter().map(|role| role(layer)).find(|role| plain.starts_with(role.letter()))
    }

    /// The first letter of its name.
    fn letter(self) -> char {
        match self {
            Self::Hidden(_) => 'h',
            Self::MeanGradient(_) => 'g',
            Self::Gradient(_) => 'p',
            Self::EmbedCredit | Self::Credit(_) => 'a',
            Self::Labels | Self::Logits => 'l',
            Self::HeadWeight | Self::HeadBias => 'h',
            Self::NormWeight | Self::NormBias | Self::NormEps => 'o',
            Self::Epoch => 'e',
        }
    }
}

/// The name with one sign for all separators.
pub(super) fn plain(name: &str) -> String {
    name.replace(['_', '/'], ".")
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hidden(layer) | Self::MeanGradient(layer) | Self::Gradient(layer) | Self::Credit(layer) => {
                write!(f, "{}.{layer}", self.letter())
            }
            Self::EmbedCredit => f.write_str("a.embed"),
            Self::Labels => f.write_str("labels"),
            Self::Logits => f.write_str("logits"),
            Self::HeadWeight => f.write_str("head.weight"),
            Self::HeadBias => f.write_str("head.bias"),
            Self::NormWeight => f.write_str("out_ln.weight"),
            Self::NormBias => f.write_str("out_ln.bias"),
            Self::NormEps => f.write_str("out_ln.eps"),
            Self::Epoch => f.write_str("epoch"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_may_vary_and_nothing_else() {
        for name in ["h.12", "h_12", "h/12", "h12", "h.012"] {
            assert_eq!(Role::of(name), Some(Role::Hidden(12)), "{name}");
        }
        for name in ["a.embed", "a_embed", "a/embed"] {
            assert_eq!(Role::of(name), Some(Role::EmbedCredit), "{name}");
        }
        for name in ["out_ln.weight", "out.ln.weight", "out_ln_weight", "out/ln/weight"] {
            assert_eq!(Role::of(name), Some(Role::NormWeight), "{name}");
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
        ] {
            assert_eq!(Role::of(name), None, "{name}");
        }
    }

    #[test]
    fn every_role_knows_itself_by_its_name() {
        let layered = [Role::Hidden(3), Role::MeanGradient(0), Role::Gradient(7), Role::Credit(1)];
        for role in layered.into_iter().chain(Role::SINGLE) {
            assert_eq!(Role::of(&role.to_string()), Some(role));
        }
    }
}
