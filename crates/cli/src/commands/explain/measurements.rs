//! What is measured at each layer.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "cosine",
        aliases: &["alignment", "torch", "clamped", "spread"],
        title: "whether credit points where the gradient does",
        formula: "mean over samples of ⟨a, p⟩ / (‖a‖·‖p‖)",
        means: "a is the credit of a unit, p the gradient of the sample's own loss at the same state. Each sample has \
            its cosine, summed in f64 and never clamped; their mean is shown with its spread. It is defined, \
            unreliable (in brackets) or undefined (–).",
        why: "It is the usual evidence that a rule works, and the easiest to get wrong: at tiny norms a library's \
            clamp (PyTorch puts a floor of 1e-8 under each norm) turns a real alignment into 0, and one of a gradient \
            that rounding has spoilt is a cosine with nothing.",
        action: "Read it only together with ‖a‖, ‖g‖, chance, ρ and nudge. --cosine torch shows the clamped one for \
            comparison with published figures.",
        key: "--samples, --cosine",
    },
    Topic {
        name: "rho",
        aliases: &["ρ", "perturbation correlation", "ρ of g"],
        title: "whether credit predicts what the loss does",
        formula: "ρ = Pearson's r of ⟨a, εv⟩ with (L(h + εv) − L(h − εv)) / 2",
        means: "v are random unit directions, 32 a sample, ε = 1e-3. The change of the loss L is a central difference of \
            the f64 forward pass and never comes from backward code. All samples and directions are pooled, with the \
            credit as it is, so that samples with large credit weigh more than in the mean cosine. `ρ of g` is that of the true gradient at \
            the same state: near 1 where the measurement works. The step is enlarged, and this said, where rounding \
            at large ‖h‖ needs it.",
        why: "It needs no reference gradient, so it is there where the cosine is unreliable, and it shows a \
            gradient that a fault in backward code has spoilt. It does not make up for the cosine: the standing of such a \
            unit stays `cannot judge`, and a note says what ρ and nudge show.",
        action: "Trust it where ρ of g is near 1. Undefined means that rounding is more than a hundredth of what was to \
            be measured.",
        key: "--directions; 0 leaves it out",
    },
    Topic {
        name: "nudge",
        aliases: &["nudging", "nudge of g", "eta", "η"],
        title: "whether following the credit lowers the loss",
        formula: "mean over samples of loss(h − η·a/RMS(a)) − loss(h)        negative is good",
        means: "The state is moved against the credit, for η = .003, .01 and .1; the table shows the middle one. \
            `nudge of g` is the change that the true gradient brings at the same length: the maximum.",
        why: "It is what credit is for. A cosine can be above chance while a step of real length does nothing.",
        action: "Compare with nudge of g. A positive nudge beyond chance means that the unit is led astray.",
        key: "",
    },
    Topic {
        name: "null",
        aliases: &[
            "nulls",
            "band",
            "chance band",
            "fresh feedback",
            "permuted labels",
            "within-null",
            "below-null",
            "shuffled samples",
            "turned features",
        ],
        title: "what chance alone would give",
        formula: "band = smallest to largest of 20 draws",
        means: "The same measurement with credit that cannot know anything: feedback drawn afresh, labels permuted in \
            the credit only, or, for a dump of an unknown rule, credit shuffled over samples, \
            and turned in the space of features, alike for all samples. A value that is itself \
            chance falls inside the band with probability 19/21. Credit without feedback, such as bp's, has permuted \
            labels only, and then the band is below 0, the more so the better the network classifies (-.17 to -.10 for bp at an \
            accuracy of .61). Where a sample is right, its error pulls the logit of its class up, and the error with \
            another label pushes it down; where it is wrong, both push down what was predicted. With probabilities s \
            the mean inner product of the two errors is ‖s‖² − s_y, on average 0 if s is calibrated. But in a mean cosine samples that are right, \
            with their small errors, count as much as the others.",
        why: "At finite width random credit has a cosine that is not 0. A small one says nothing before it is held \
            against its band.",
        action: "✓ beats every draw of every kind (and a nudge lowers the loss), ✗ is worse than every draw of every \
            kind, · is everything between. --fail-on below-null and within-null hold cosine and ρ to it, and are \
            stricter: any one kind is enough for them.",
        key: "--draws; 0 leaves them out",
    },
    Topic {
        name: "mean credit",
        aliases: &["noise", "draws", "expected", "95 %"],
        title: "whether credit that looks like noise is right on average",
        formula: "cosine of (a_1 + … + a_K)/K with p, K = 1, 4, 16, 64\n\
            expected: Γ((K+1)/2)·Γ((K+d−1)/2) / (Γ(K/2)·Γ((K+d)/2)), about √(K/(K+d+1))",
        means: "Of rules that draw noise anew for each batch, such as node_perturbation: 64 fresh draws on the first \
            256 samples (32 in audits during training), averaged in groups of K. Mean over groups, then over samples; \
            the 95 % interval is 1.96 standard errors by the spread over samples. `expected` is what credit ξ⟨ξ, p⟩ \
            with Gaussian ξ gives, where d is the number of features of the state: the gradient on average, and \
            nothing but noise besides. √(K/(K+d+1)) is close to it for large K and a quarter too large at K = 1.",
        why: "One cosine cannot tell noise from bias. At d = 256 a single draw of unbiased credit has .05, as much as \
            poor credit without noise. Noise averages out over steps and samples, and bias stays.",
        action: "Read the largest K. `as expected`: unbiased as far as 64 draws can tell. `below`, and further below with \
            every K: biased; the curve levels off at the cosine of its mean. One interval in 20 misses by chance, so \
            `below` and `above` take a distance of twice its half-width. For noise of another kind compare the \
            shapes: unbiased credit goes on rising.",
        key: "--draws; 0 leaves it out",
    },
    Topic {
        name: "gamma",
        aliases: &["Γ", "mean cosine"],
        title: "the mean cosine over units, with how many it is over",
        formula: "Γ = mean of the cosines that are defined: k of n units",
        means: "Units are the embedding and the L blocks; in the paper's convention, the blocks alone. Unreliable and \
            undefined cosines are left out, and the count says so. --include-unreliable also gives \
            the mean over all that have a number, as usually published. It is given where credit acts, and in the \
            paper's convention.",
        why: "The mean hides the layers. DFA has a cosine of .4 at the first and 0 above, FA 1 at the last block and \
            about 0 below: the mean of either looks like learning.",
        action: "Report every unit. Quote Γ only with its count, and never where one unit dominates it.",
        key: "--include-unreliable",
    },
    Topic {
        name: "norms",
        aliases: &[
            "‖h‖",
            "‖g‖",
            "‖a‖",
            "hidden",
            "gradient",
            "‖g_L‖/‖e_T‖",
            "‖e_T‖",
            "error",
            "e_T",
            "g",
            "h",
            "N",
            "N=128",
            "state",
        ],
        title: "the sizes of state, gradient and credit",
        formula: "medians over samples of ‖h_l‖, ‖p_l‖/128, ‖a‖, ‖e_T‖",
        means: "‖g‖ is the gradient of a mean over N samples: that of each sample's own loss, divided by N. It is shown \
            for N = 128. e_T is the error at the output, softmax minus one-hot; ‖g_L‖/‖e_T‖ does not shrink just \
            because the task is solved.",
        why: "A gradient norm without its N cannot be compared with another: published logs at N = 1024 are eight times \
            smaller. Sizes show where a cosine stops meaning anything before it does so itself.",
        action: "Compare at equal N only.",
        key: "",
    },
    Topic {
        name: "participation ratio",
        aliases: &["participation_ratio", "PR", "effective rank", "dimensionality"],
        title: "over how many directions a state spreads",
        formula: "PR = (Σλ)² / Σλ²        λ: eigenvalues of h_l's covariance",
        means: "k where k directions vary equally, 1 where all samples are on a line; at most the number of features, or \
            one less than the samples. It does not change when the state is shifted, scaled or rotated.",
        why: "A stream that grows along a few directions keeps its norm and loses what tells samples apart.",
        action: "Compare with bp at the same state. Of states with more than 1,638 features it is measured on the first \
            2,097,152/features samples, which bounds it.",
        key: "eval.samples",
    },
    Topic {
        name: "update cosine",
        aliases: &["update_cosine", "update"],
        title: "whether parameters move along the gradient",
        formula: "⟨ĝ, g⟩ / (‖ĝ‖·‖g‖)",
        means: "ĝ is the mean over samples of what the rule hands to the optimiser for all parameters of the unit: its \
            credit, normalised as in training, through the unit. g is the true gradient of the mean loss. Without \
            penalty, over the first train.batch evaluation samples; unreliable where the cosine of the credit is.",
        why: "The cosine of credit weighs every sample alike and knows nothing of the unit. Credit that is normalised per \
            sample can have a cosine of 1 and still move the parameters elsewhere, as at fa's last block.",
        action: "Read it together with cosine. It is 1 for bp.",
        key: "train.batch",
    },
    Topic {
        name: "feedback angle",
        aliases: &["feedback_angle", "angle"],
        title: "how far feedback is turned from forward weights",
        formula: "degrees between R and W        0: alike, 90: unrelated, 180: opposed",
        means: "Of sign_symmetry and kolen_pollack: all matrices of a block with those that credit goes through in their \
            place. Of dfa and dkp: the last block's feedback with the turned weight of the head. Other rules have no \
            such pair.",
        why: "Weights can align with fixed feedback, and feedback can learn to follow weights. Whether either happens \
            cannot be seen in the accuracy.",
        action: "For kolen_pollack and dkp it should fall; where it stays at 90, see rule.decay.",
        key: "rule.decay",
    },
    Topic {
        name: "drift",
        aliases: &[],
        title: "how far a unit's parameters have moved",
        formula: "‖θ_end − θ_start‖ / ‖θ_start‖",
        means: "Over all parameters of the unit. 0 for frozen blocks.",
        why: "A unit that never moved cannot have learnt, whatever its credit is; one that moved many times its size \
            is likely to have run away.",
        action: "Where it is 0 and the recipe trains the unit, look at consistency.",
        key: "",
    },
    Topic {
        name: "probe",
        aliases: &["linear probe"],
        title: "what a linear classifier can read from a layer",
        formula: "test accuracy of a linear classifier that reads h_l",
        means: "Trained at each layer on the hidden states of the training set, with the network held fixed.",
        why: "Where it does not rise with depth, the blocks between add nothing that the head could use: the same \
            question as D3, layer by layer.",
        action: "Read it together with D3. It costs time, so it is measured only on request.",
        key: "--probe",
    },
];
