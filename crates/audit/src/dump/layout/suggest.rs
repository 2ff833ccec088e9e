//! Suggests what was meant by a name that the layout does not have.
//!
//! A tensor with another name is ignored, never guessed. But a misspelt name would silently cost the audit a measurement,
//! so likely ones are pointed out.

use super::name::{TensorRole, plain};

/// Words that others use, and the layout's letter for them.
const LAYERED: [(&str, &str); 4] = [
    ("h", "hidden hiddens hidden.state hidden.states state act acts activation activations"),
    ("p", "grad grads gradient gradients dh delta deltas per.sample.grad per.sample.grads"),
    ("g", "mean.grad mean.grads mean.gradient"),
    ("a", "credit credits signal signals feedback teaching local.grad"),
];

/// Words that others use for tensors without a layer.
const SINGLE: [(TensorRole, &str); 6] = [
    (TensorRole::Labels, "y target targets ys classes"),
    (TensorRole::Logits, "z output outputs scores preds"),
    (TensorRole::HeadWeight, "fc.weight classifier.weight lm.head.weight output.weight w.head head.w"),
    (TensorRole::HeadBias, "fc.bias classifier.bias output.bias b.head head.b"),
    (TensorRole::NormWeight, "ln.weight ln.f.weight norm.weight final.norm.weight ln.out.weight"),
    (TensorRole::NormBias, "ln.bias ln.f.bias norm.bias final.norm.bias ln.out.bias"),
];

/// The name that was likely meant; none if nothing is similar.
pub(super) fn meant(name: &str) -> Option<String> {
    // Names are untrusted, and comparing long ones takes time.
    if name.len() > 64 {
        return None;
    }
    let plain = plain(&name.trim().to_lowercase().replace(['-', ' ', ':', '['], ".").replace(']', ""));
    if let Some(role) = TensorRole::of(&plain) {
        return Some(role.to_string());
    }
    let among = |words: &str, word: &str| words.split(' ').any(|other| other == word);
    let letter = |word: &str| {
        let word = word.trim_end_matches('.');
        let known = LAYERED.iter().find(|(letter, words)| *letter == word || among(words, word));
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
    if let Some((role, _)) = SINGLE.iter().find(|(_, words)| among(words, &plain)) {
        return Some(role.to_string());
    }
    // A letter too many, too few, or two in the wrong order.
    let near = |name: &str| strsim::osa_distance(&self::plain(name), &plain) <= 1 + plain.len() / 8;
    let mut names = TensorRole::SINGLE.iter().map(|(_, name)| *name).filter(|_| plain.len() > 3);
    names.find(|name| near(name)).map(str::to_owned)
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
