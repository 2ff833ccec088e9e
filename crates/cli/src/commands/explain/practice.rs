//! Verdicts, states of a number, conventions, and how things are done.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "verdict",
        aliases: &["PASS", "FAIL", "not assessed", "limit", "margin", "worst margin", "value"],
        title: "what the checks add up to",
        formula: "",
        means: "PASS where no check fired, FAIL(D1+…) with those that did, `not assessed` where none could be made. \
            Checks that could not be made are named, and beside a PASS how many units have credit at chance or are misled. Direction only advises. A group has the verdict of most of its \
            seeds, the graver on a tie, and seeds that differ are shown. A margin says how far the worst seed is from \
            the limit.",
        why: "Test accuracy and a mean cosine can both look fine while nothing useful reaches the deep layers.",
        action: "Quote the verdict with the checks that are open. --fail-on D1,D2,D3 makes it an exit code, and \
            --fail-on not-assessed what is open in it.",
        key: "protocol.* in the recipe",
    },
    Topic {
        name: "standing",
        aliases: &["standings"],
        title: "what the evidence at one unit adds up to",
        formula: "",
        means: "useful: the cosine and at least one of ρ and nudge were compared with chance, all that were beat it, and \
            cosine and nudge are large. detectable: they beat chance, but are small. \
            mixed: some do. chance: none does. misleading: none does, and one is worse than chance. unconfirmed: only \
            the cosine speaks for it. cannot judge: the cosine is unreliable or undefined. dead: no credit arrives. \
            broken: something is infinite or not a number. `inert` is another fact, beside any of these.",
        why: "A rule does not work or fail as a whole. It does so layer by layer.",
        action: "Explain any of these words for more.",
        key: "protocol.useful = 0.1; --fail-on dead, broken or misleading",
    },
    Topic {
        name: "unreliable",
        aliases: &["( )", "brackets"],
        title: "a number whose digits cannot be relied upon",
        formula: "",
        means: "In brackets, and hollow in figures. The f32 and f64 gradients that it was compared with point in \
            different directions; or the gradient is below the floor of D2 and only f32 gives it, as in a log or in a \
            dump of f32; or some samples got no credit. A gradient below the floor that f64 confirms is not unreliable: \
            see `creditscope explain inert` for what it may be instead.",
        why: "Such a cosine is reproducible, has small error bars, and may be an artefact of rounding. It belongs in no \
            mean.",
        action: "Leave it out. Measure the run with its checkpoint, or dump gradients in f64.",
        key: "protocol.floor; --fail-on unreliable",
    },
    Topic {
        name: "inert",
        aliases: &["°", "reach", "within reach", "out of reach", "a step", "effect", "ringed"],
        title: "a unit that no step of training moves the loss by",
        formula: "|L(θ − lr·sign ∇_θ L) − L(θ)| / L(θ) < protocol.inert\nθ: all parameters of the unit",
        means: "L is the mean loss over the audit's samples, in f64 forward passes; lr is optim.lr, and lr·sign is as far \
            as AdamW moves a weight in a step. So this is what the best direction gives at the length that the optimiser \
            has; on few samples it fits their noise as well, and does more (1.5 to 30 times on 128 of the demo). The cosine there may be exact and is judged like any other. Where there are no weights \
            (kept records, dumps) or few samples (what a run itself logs), the state is moved instead, by a step of RMS .1 along its gradient; the page says so, \
            and the limit is a hundredth: such a step is about what W2 can do, and depends on the scale of the state.",
        why: "A vanishing gradient at a huge state is neither unknowable nor meaningless: a relative change of \
            the state changes the loss by ‖p‖·‖h‖, more for dfa than for bp. It is out of the optimiser's reach. \
            The limit of 1e-3 is where the evidence parts. Demo: bp 3e-2 to 1.5e-1, penalised dfa 3e-3 to 4e-2, fa \
            4e-4 to 1e-2, dfa 3e-4 to 1.5e-3. CIFAR-10 after 8 epochs: bp 1e-2 to 4e-2, fa 2e-3 to 3e-3, dfa \
            1e-4 to 3e-4. Below it a thousand steps that all agree would be needed to use up the loss. What keeps a block of \
            dfa from falling further are W1 and LayerNorm: scaling embedding and W2 by 1000 under out_ln leaves the \
            function as it is, and takes the steps of embedding and W2 a thousand times out of reach, but not those of W1.",
        action: "Do not expect better credit to train the unit. Bound the hidden norms (a penalty, no last LayerNorm) first.",
        key: "protocol.inert = 1e-3; optim.lr",
    },
    Topic {
        name: "sensitivity",
        aliases: &["‖p‖·‖h‖"],
        title: "how much the loss depends on a state, whatever its scale",
        formula: "median over samples of ‖p_l‖·‖h_l‖",
        means: "The change of the loss per relative change of the state. It stays the same when embedding and W2 \
            are scaled together under a last LayerNorm, where ‖p‖ and ‖h‖ change by inverse factors. In audits of before it was \
            written down it is the product of the medians.",
        why: "A tiny ‖g‖ looks as if the layer did not matter. With a huge ‖h‖ it can matter more than in a healthy network.",
        action: "Read it beside `inert`: a layer can matter and still be out of the optimiser's reach.",
        key: "",
    },
    Topic {
        name: "undefined",
        aliases: &["–", "-"],
        title: "a number that does not exist",
        formula: "",
        means: "Shown as –. A norm is zero or so small that its digits are lost, something is infinite or not a \
            number, or rounding hides what was to be measured.",
        why: "Zero would be misleading: no credit is not the same as credit at right angles. Libraries return 0 or NaN here.",
        action: "The marks at the end of the page say which reason it is.",
        key: "--fail-on undefined",
    },
    Topic {
        name: "convention",
        aliases: &[
            "here",
            "at_input",
            "paper's convention",
            "at the input",
            "cosine_at_input",
            "cosine_paper",
        ],
        title: "where a credit is compared with the gradient",
        formula: "here:  a_embed with p_0, a_l with p_{l+1}\npaper: a_l with p_l, l = 0 … L−1",
        means: "A unit is what a rule trains with one signal: the embedding, or a block. Its credit acts at its output, \
            so that is where it is compared, and bp has a cosine of exactly 1. The paper compares at the block's \
            input, where bp stays below 1, by as much as the block turns the gradient.",
        why: "The same run has two different lists of cosines. Published figures use the second.",
        action: "Say which one you quote. --layers and --csv have both.",
        key: "",
    },
    Topic {
        name: "frozen",
        aliases: &["baseline", "frozen baseline", "frozen baselines"],
        title: "the same rule with its blocks fixed at their initial values",
        formula: "",
        means: "Embedding, last LayerNorm and head train, the blocks do not. Same recipe and same seed in all else. It \
            is there for D3, and no check is asked of it.",
        why: "Without it, what depth is worth stays unknown.",
        action: "creditscope run audit.toml --set 'rule.frozen=[false, true]'",
        key: "rule.frozen",
    },
    Topic {
        name: "penalty",
        aliases: &["residual penalty"],
        title: "a bound on what blocks add to the residual stream",
        formula: "λ·‖f_l(h_l)‖² in each block's objective",
        means: "Sum over features, mean over the batch. λ from 1e-4 to 1e-1; 1e-2 is the published choice. The measured \
            credit is the rule's own, without the penalty's part.",
        why: "It keeps the hidden norms bounded, so that the reference keeps its meaning and credit can be judged. It \
            costs bp some accuracy (.585 to .532 in 30 epochs) and gains DFA some (.301 to .360).",
        action: "creditscope run audit.toml --set 'rule.penalty=[0, 0.01]', then audit both.",
        key: "rule.penalty",
    },
    Topic {
        name: "seeds",
        aliases: &["seed", "±", "differences", "pairs", "mean ± sd"],
        title: "several seeds of one recipe, and two recipes seed by seed",
        formula: "",
        means: "Runs that differ in nothing but their seed form a group: every seed is shown, with mean and standard \
            deviation (n−1). Two groups are compared seed by seed, since the seed fixes weights, order and feedback.",
        why: "Three values have no bootstrap and no p-value worth the name. A difference that holds in every seed can \
            be seen.",
        action: "Train three seeds or more (`--seeds 42,123,456`), and show them all.",
        key: "seed",
    },
    Topic {
        name: "dump",
        aliases: &["dumps", "npz", "safetensors", "--mean-over", "mean-over"],
        title: "tensors from another program, to be judged by the same protocol",
        formula: "",
        means: "A .npz or .safetensors file with hidden states, gradients and credit, named h.0 …, p.0 … (of \
            each sample's own loss) or g.0 … (of their mean), a.embed, a.0 …; docs/foreign-runs.md has it all. Several files are the epochs of \
            one run. What is missing is named, with what could not be judged without it.",
        why: "A rule does not have to be written here to be audited here.",
        action: "Dump in f32 or f64, at least 1280 samples, in eval mode. Give --accuracy and --frozen-accuracy for D3, \
            and --mean-over N where g is a mean over another number of samples than the arrays hold.",
        key: "--accuracy, --frozen-accuracy, --mean-over",
    },
    Topic {
        name: "test",
        aliases: &["accuracy", "test accuracy", "points"],
        title: "test accuracy, with that of the frozen baselines behind it",
        formula: "",
        means: "The share of the whole test set that is classified right after the last epoch, mean ± standard deviation \
            over seeds; behind it the mean of the frozen baselines. Differences are in points, hundredths of 1.",
        why: "It does not say which layers learnt: an embedding and a head alone can reach most of it.",
        action: "Quote it together with the baseline (`creditscope explain D3`).",
        key: "",
    },
    Topic {
        name: "epoch",
        aliases: &["from epoch", "epochs"],
        title: "when it was measured, and since when a check fires",
        formula: "",
        means: "One epoch is one pass over the training set. The title of a table has the one that was measured, the \
            last there is. `from epoch` is the first at which a check fired, by the log: one number, or each seed's \
            where they differ.",
        why: "Numbers from before the first firing can still be sound when those of the end are not.",
        action: "`creditscope runs show` draws the course over all epochs.",
        key: "",
    },
    Topic {
        name: "paper",
        aliases: &["arXiv", "2606.21126", "study", "published"],
        title: "the published study whose files and conventions are kept",
        formula: "",
        means: "\"What Accuracy and Gradient Cosine Miss\", arXiv 2606.21126, which this program grew out of. The limits \
            of the checks are calibrated by its runs, and `creditscope export paper-json` writes its files. Where it \
            compares credit at another state, both are given (`creditscope explain convention`).",
        why: "A number can be compared with a published one only if it is known how each was measured.",
        action: "Cite it where you use the protocol.",
        key: "",
    },
];
