//! What the paper's plotting scripts read, in one table.
//!
//! A key is a path: `*` means every element of a non-empty list, `a,b` both, `a|b` either, a number an index.

/// One script.
pub(super) struct Script {
    pub(super) name: &'static str,
    pub(super) reads: &'static [Reads],
    /// Whether it stacks the lists of its files, one file per seed, so that all need the same length.
    pub(super) stacked: bool,
    /// Which of its numbers are typed into the script.
    pub(super) typed_in: Option<&'static str>,
}

/// One file that a script reads.
pub(super) struct Reads {
    pub(super) file: &'static str,
    /// Whether the script stops without the file.
    pub(super) required: bool,
    /// Keys without which the script stops, or draws 1.0 instead.
    pub(super) must: &'static [&'static str],
    /// Keys without which something is left out of the figure.
    pub(super) may: &'static [&'static str],
}

const fn needs(file: &'static str, must: &'static [&'static str]) -> Reads {
    Reads { file, required: true, must, may: &[] }
}

const PAIR: &[&str] = &[
    "bp_log,dfa_log/*/epoch,acc_eval",
    "bp_log,dfa_log/*/hidden_norms|hidden_norms_cls/*",
    "bp_log,dfa_log/*/bp_grad_norms_per_sample_med|bp_grad_per_sample_l2_med/*",
];
const FA: &[&str] = &[
    "fa_log/*/epoch,acc_eval",
    "fa_log/*/hidden_norms|hidden_norms_cls/*",
    "fa_log/*/bp_grad_norms_per_sample_med|bp_grad_per_sample_l2_med/*",
];
const EVOLUTION: &str = "results/snapshot_evolution_v2/snapshot_evolution_s42.json";
const PENALTY_SMALL: &str = "results/dfa_residual_penalty/dfa_pen_lam0.001_s42.json";
const PENALTY: &str = "results/dfa_residual_penalty/dfa_pen_lam0.01_s42.json";

pub(super) const SCRIPTS: [Script; 5] = [
    Script {
        name: "fig1_audit_hero.py",
        reads: &[],
        stacked: false,
        typed_in: Some(
            "all its numbers are typed into the script: it shows the published ones, not these runs",
        ),
    },
    Script {
        name: "fig3b_crossarch.py",
        reads: &[
            needs("results/snapshot_vit_v1/snapshot_vit_s42.json", PAIR),
            needs("results/snapshot_vit_v1/snapshot_fa_canonical_s42.json", FA),
            needs("results/snapshot_no_outln_v1/snapshot_noLN_s42.json", PAIR),
            needs("results/snapshot_no_outln_v1/snapshot_fa_canonical_noln_s42.json", FA),
            needs("results/snapshot_synth_v1/snapshot_synth_a1.0_L4_s42.json", PAIR),
            needs("results/snapshot_synth_v1/snapshot_fa_canonical_s42.json", FA),
        ],
        stacked: false,
        typed_in: None,
    },
    Script {
        name: "fig4_penalty_rescue.py",
        reads: &[
            needs(EVOLUTION, &["dfa_log/*/epoch", "dfa_log/*/hidden_norms,bp_grad_norms_per_sample_med/*"]),
            needs(PENALTY, &["log/*/epoch,h_L_norm,g_2_norm"]),
        ],
        stacked: false,
        typed_in: Some("panels (b) and (c) are typed into the script: they show the published numbers"),
    },
    Script {
        name: "temporal_penalty_vs_vanilla.py",
        reads: &[
            needs(
                EVOLUTION,
                &[
                    "dfa_log/*/epoch,acc_eval",
                    "dfa_log/*/hidden_norms/*",
                    "dfa_log/*/bp_grad_norms_per_sample_med/2",
                ],
            ),
            Reads { file: PENALTY_SMALL, required: false, must: PENALISED, may: &[] },
            Reads { file: PENALTY, required: false, must: PENALISED, may: &[] },
        ],
        stacked: false,
        typed_in: Some("its lines at .349 and .371 are typed into the script"),
    },
    Script {
        name: "cifar_plots.py",
        reads: &[
            Reads {
                file: "results/cifar10/results_cifar10.json",
                required: true,
                must: &["42/bp,dfa,state_bridge,credit_bridge/log/train_acc,test_acc/*"],
                may: &[
                    "42/bp,dfa,state_bridge,credit_bridge/diagnostics/bp_cosine,perturbation_rho/*",
                    "42/bp,dfa,state_bridge,credit_bridge/diagnostics/nudging/0.01/*",
                    "42/bp,dfa,state_bridge,credit_bridge/drift/blocks.0.w1.weight",
                    "42/state_bridge/log/state_pred_error/*",
                ],
            },
            Reads {
                file: "results/cifar10_seed123/results_cifar10.json",
                required: true,
                must: &["123/bp,dfa,state_bridge,credit_bridge/log/train_acc,test_acc/*"],
                may: &["123/state_bridge/log/state_pred_error/*"],
            },
            Reads {
                file: "results/cifar10_seed456/results_cifar10.json",
                required: true,
                must: &["456/bp,dfa,state_bridge,credit_bridge/log/train_acc,test_acc/*"],
                may: &["456/state_bridge/log/state_pred_error/*"],
            },
        ],
        stacked: true,
        typed_in: None,
    },
];

const PENALISED: &[&str] = &["log/*/epoch,h_L_norm,g_2_norm,acc_eval"];
