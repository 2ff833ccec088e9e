//! The checks of the protocol, with the figures that they were calibrated by.

use super::topic::Topic;

pub(super) const TOPICS: &[Topic] = &[
    Topic {
        name: "D1",
        aliases: &["(a)", "scale", "scale stability", "growth"],
        title: "scale stability, check (a)",
        formula: "growth = max over l of ‖h_{l+1}‖ / ‖h_l‖        fires above 50",
        means: "How much one block multiplies the size of the hidden state, where that is most. ‖h_l‖ is the median \
            over the test samples. It is looked at after every epoch, so the first epoch that fired is exact.",
        why: "A residual stream that grows without bound, under a last LayerNorm, drives the true gradient at the \
            hidden layers towards zero. Accuracy does not show it, and neither does a mean cosine. In the published \
            runs a healthy growth is at most 11, up to 25 in a ViT's first epochs; a degenerate one is at least 694. \
            The limit is between them.",
        action: "Look at ‖h‖ in the table of units for the block at which it starts. Bound it: a penalty on the \
            block's output (`creditscope explain penalty`), a smaller learning rate, or no last LayerNorm as a \
            control. Judge again, and do not quote cosines from above the block that fired.",
        key: "protocol.growth = 50",
    },
    Topic {
        name: "D2",
        aliases: &["b", "(b)", "reference", "reference validity", "floor", "‖g_L‖", "g_L"],
        title: "reference validity, check (b)",
        formula: "‖g_L‖ = median over samples of ‖p_L‖ / 128        fires below 1e-7",
        means: "The size of the true gradient at the last hidden state, as the gradient of a mean over 128 samples. \
            p_L is the gradient of each sample's own loss. It is not assessed where the task is solved (median ‖e_T‖ \
            below .05): a small error makes a small gradient without any fault. ‖g_L‖/‖e_T‖ is shown next to it.",
        why: "Every alignment number compares credit with this gradient. Once it has sunk to 1e-9 it is exact in f64 \
            only, steps of ordinary size along it do next to nothing (`creditscope explain inert`), and libraries that clamp norms at 1e-8 return \
            plainly wrong cosines. In the published runs a healthy ‖g_L‖ is at least 1.0e-4, a degenerate one at most \
            4.2e-9.",
        action: "Do not quote a cosine at a layer in brackets. See whether D1 fired first: the growth of the hidden \
            state is the usual cause. Compare ‖g_L‖ only at the same number of samples; published logs often use \
            1024.",
        key: "protocol.floor = 1e-7; protocol.solved = 0.05 for when it is not assessed",
    },
    Topic {
        name: "D3",
        aliases: &["d", "(d)", "depth", "depth utility", "gain"],
        title: "depth utility, check (d)",
        formula: "gain = accuracy − accuracy with frozen blocks        fires below +2 points",
        means: "What training the blocks is worth: test accuracy at the last epoch, less that of the same recipe and \
            seed with every block fixed at its initial value (embedding and head still train). It is not assessed \
            without that baseline, nor where the baseline is within 3 points of 1 (ceiling).",
        why: "A rule can reach a fair accuracy with its first layer and its head alone, while nothing useful reaches \
            the blocks between. In the published runs DFA ends at .306 where its own frozen baseline has .349: \
            training the blocks did harm.",
        action: "Train the baseline if there is none (`--set 'rule.frozen=[false, true]'`). Where the check fires, \
            report the baseline with the accuracy, and look for the units whose credit is chance or cannot be \
            judged.",
        key: "protocol.gain = 0.02; protocol.ceiling = 0.03 for when it is not assessed",
    },
    Topic {
        name: "direction",
        aliases: &["c", "(c)", "direction stability"],
        title: "direction stability, check (c), advisory",
        formula: "mean over pairs of batches of cos(g, g')        fires above .30",
        means: "Whether different batches give different gradients. g is the mean gradient of a batch of 128 at layer \
            L/2; at least 8 disjoint batches are compared with each other.",
        why: "When the gradient has lost its meaning it often points the same way whatever the data. A rule can then \
            align with that one direction and look as if it learnt. Healthy training also shows some common \
            direction, early above all, so that this check only advises: the verdict does not count it.",
        action: "Read it together with D1 and D2. Alone it is a reason to look, not to reject. --fail-on direction makes it \
            count in scripts.",
        key: "protocol.direction = 0.3",
    },
    Topic {
        name: "consistency",
        aliases: &["credit consistency", "findings"],
        title: "whether the credit is the one that it should be",
        formula: "max over units of ‖recorded − recomputed‖ / ‖recomputed‖\n\
            fires above 1e-4",
        means: "The credit that the run's own code gives on a fixed batch, compared with the credit that a second, plain f64 \
            path computes from the saved weights and feedback, or from the saved net of a bridge: for every rule but ep and node_perturbation, \
            on resmlp and student. The feedback's hash is compared over checkpoints, and with the one that the seed \
            gives.",
        why: "A sign, a transpose, samples in another order, the matrix of another block, feedback that was drawn \
            again on resuming: each trains without an error message and ends in a table as a property of the rule.",
        action: "The finding names the unit and the likeliest fault. Mend the code and train again; no other number \
            of such a run means what its name says.",
        key: "",
    },
];
