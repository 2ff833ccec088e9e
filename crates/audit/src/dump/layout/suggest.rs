//! What somebody may have meant by a name that the layout does not have.
//!
//! A tensor under another name is left aside, never guessed at. But a slip in a name would then silently cost the
//! audit a measurement, so the likely ones are pointed out.

use super::name::{Role, plain};

/// Words that others use, and the letter that the layout has for them.
const LAYERED: [(&str, &[&str]); 4] = [
    (
        "h",
        &[
            "hidden",
            "hiddens",
            "hidden.state",
            "hidden.states",
            "state",
            "act",
            "acts",
            "activation",
            "activations",
        ],
    ),
    (
        "p",
        &[
            "grad",
            "grads",
            "gradient",
            "gradients",
            "dh",
            "delta",
            "deltas",
            "per.sample.grad",
            "per.sample.grads",
        ],
    ),
    ("g", &["mean.grad", "mean.grads", "mean.gradient"]),
    ("a", &["credit", "credits", "signal", "signals", "feedback", "teaching", "local.grad"]),
];

/// Words that others use for tensors without a layer.
const SINGLE: [(Role, &[&str]); 6] = [
    (Role::Labels, &["y", "target", "targets", "ys", "classes"]),
    (Role::Logits, &["z", "output", "outputs", "scores", "preds"]),
    (
        Role::HeadWeight,
        &["fc.weight", "classifier.weight", "lm.head.weight", "output.weight", "w.head", "head.w"],
    ),
    (Role::HeadBias, &["fc.bias", "classifier.bias", "output.bias", "b.head", "head.b"]),
    (Role::NormWeight, &["ln.weight", "ln.f.weight", "norm.weight", "final.norm.weight", "ln.out.weight"]),
    (Role::NormBias, &["ln.bias", "ln.f.bias", "norm.bias", "final.norm.bias", "ln.out.bias"]),
];

/// The name that was likely meant; none where nothing is near.
pub(super) fn meant(name: &str) -> Option<String> {
    // Names may come from anywhere, and comparing long ones takes time.
    if name.len() > 64 {
        return None;
    }
    let plain = plain(&name.trim().to_lowercase().replace(['-', ' ', ':', '['], ".").replace(']', ""));
    if let Some(role) = Role::of(&plain) {
        return Some(role.to_string());
    }
    let letter = |word: &str| {
        let word = word.trim_end_matches('.');
        let known = LAYERED.iter().find(|(letter, words)| *letter == word || words.contains(&word));
        known.map(|(letter, _)| *letter)
    };
    let digits = plain.len() - plain.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, layer) = plain.split_at(plain.len() - digits);
    match (letter(word), layer) {
        (Some(letter), "") => return Some(format!("{letter}.0, {letter}.1, …, one per layer")),
        (Some(letter), layer) => return Some(format!("{letter}.{layer}")),
        _ => {}
    }
    if let Some(word) = plain.strip_suffix(".embed").or_else(|| plain.strip_suffix(".embedding")) {
        return letter(word)
            .map(|letter| if letter == "a" { "a.embed".to_owned() } else { format!("{letter}.0") });
    }
    if let Some((role, _)) = SINGLE.iter().find(|(_, words)| words.contains(&plain.as_str())) {
        return Some(role.to_string());
    }
    // A letter too many, too few, or two in the wrong order.
    let near =
        |role: &Role| strsim::osa_distance(&self::plain(&role.to_string()), &plain) <= 1 + plain.len() / 8;
    Role::SINGLE.iter().filter(|_| plain.len() > 3).find(|role| near(role)).map(Role::to_string)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn slips_and_other_words_are_recognised() {
        for (name, expected) in [
            ("H.3", "h.3"),
            ("h-3", "h.3"),
            ("hidden_3", "h.3"),
            ("hidden_states.3", "h.3"),
            ("h[3]", "h.3"),
            ("grad_0", "p.0"),
            ("credit.2", "a.2"),
            ("credits_embed", "a.embed"),
            ("p.embed", "p.0"),
            ("h", "h.0, h.1, …, one per layer"),
            ("lables", "labels"),
            ("targets", "labels"),
            ("logit", "logits"),
            ("head.wieght", "head.weight"),
            ("out_ln_wieght", "out_ln.weight"),
            ("fc.weight", "head.weight"),
            ("epochs", "epoch"),
        ] {
            assert_eq!(meant(name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn other_tensors_are_left_in_peace() {
        for name in
            ["directions", "blocks.0.w1.weight", "embed.weight", "x", "images", "loss", "step", "", "7"]
        {
            assert_eq!(meant(name), None, "{name}");
        }
        assert_eq!(meant(&"h".repeat(1000)), None);
    }
}
