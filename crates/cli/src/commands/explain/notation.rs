//! The symbols and the words that all pages use.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "credit",
        aliases: &["a", "a_l", "a_embed", "learning signal"],
        title: "what a unit learns from in place of the gradient",
        formula: "block l descends ⟨f_l(h_l), â_l⟩,   the embedding ⟨h_0, â_embed⟩",
        means: "a_l is what a rule sends to block l, one vector per sample, as long as the block's output; â_l is the same \
            after normalisation. The objective is summed over features and averaged over the batch, with h_l held constant. \
            With a = p it is backpropagation.",
        why: "It is all in which rules differ here; network, data, optimiser and seeds are the same.",
        action: "Read a rule's equation with its name, such as `creditscope explain dfa`.",
        key: "rule.name, rule.normalise",
    },
    Topic {
        name: "p",
        aliases: &["p_l", "true gradient"],
        title: "the gradient that credit is compared with",
        formula: "p_l = ∂ loss of the sample / ∂ h_l        ‖g_l‖ = ‖p_l‖ / N",
        means: "The gradient of each sample's own loss at its hidden state, in f64 from the same weights. The gradient of the \
            mean over N samples, which libraries return, is p/N; N is always shown with it.",
        why: "It needs no assumption about the rule: it is the direction in which the loss rises fastest.",
        action: "Look at its size and at D2 before you read a cosine with it.",
        key: "",
    },
    Topic {
        name: "unit",
        aliases: &["units", "embed", "block"],
        title: "what a rule trains with one signal",
        formula: "embed → h_0,   block l: h_{l+1} = h_l + f_l(h_l),   l = 0 … L−1",
        means: "The embedding, or one residual block. Its credit acts at its output: a_embed at h_0, a_l at h_{l+1}. The head \
            with the last LayerNorm is no unit, since every rule gives it the exact gradient.",
        why: "",
        action: "Where published figures compare at a block's input, see `creditscope explain convention`.",
        key: "",
    },
    Topic {
        name: "normalise",
        aliases: &["normalisation", "normalised", "normalize", "RMS", "rule.normalise"],
        title: "what credit is divided by before training uses it",
        formula: "sample: â = a / (RMS(a) + 1e-6), each sample by itself\nbatch:  â = a / (RMS over the batch + 1e-6)\n\
            none:   â = a",
        means: "Every rule but bp and node_perturbation trains with credit divided by its root mean square over the features of \
            each sample: the published recipe. Every sample then pulls with the same force, also one that is learned already.",
        why: "It decides how fast the residual stream grows, so that a comparison of rules has to state it: credit of unit size \
            never gets smaller as the error does.",
        action: "Repeat the run with `--set 'rule.normalise=[\"sample\", \"batch\", \"none\"]'` before you blame the rule.",
        key: "rule.normalise",
    },
];
