//! Matrices that carry credit down in place of a block's own: right by their definition, and named where others act.

use crate::kinds::{SIZES, networks};
use crate::planted::named;
use crate::run::Run;
use nn::Architecture;
use record::Unit;
use record::audit::{Consistency, Fault, Site};

/// R1 and R2 of a block, in PyTorch's order.
type Carrier = [Vec<f32>; 2];

const PARTS: [&str; 2] = ["w1", "w2"];

/// Those of every block by the rule's definition, from the tensors of a checkpoint.
fn defined(run: &Run) -> Vec<Carrier> {
    let tensors = run.tensors();
    let of = |l: usize, part: &str| -> Vec<f32> {
        let weight = &tensors[&format!("blocks.{l}.{part}.weight")].values;
        if run.rule == "sign_symmetry" {
            let mean = weight.iter().map(|w| w.abs()).sum::<f64>() / weight.len() as f64;
            weight.iter().map(|w| (mean * w.signum()) as f32).collect()
        } else {
            let difference = &tensors[&format!("rule.difference.blocks.{l}.{part}.weight")].values;
            weight.iter().zip(difference).map(|(w, d)| (w + d) as f32).collect()
        }
    };
    (0..run.blocks()).map(|l| PARTS.map(|part| of(l, part))).collect()
}

/// The credit that a run uses if these carry it: that of a rule which lets R be anything, whatever the run's own is.
fn carried(run: &mut Run, carriers: &[Carrier]) -> Vec<Vec<f32>> {
    let learner = &mut run.learner;
    let free = "kolen_pollack".into();
    learner.rule = rules::build(&free, &learner.net, &learner.params, 1).expect("a known rule");
    let layout = learner.net.layout();
    for saved in learner.rule.saved_mut() {
        let name = saved.name.strip_prefix("rule.difference.").expect("a difference");
        let weight = layout.get(name).expect("a weight").to_torch(&learner.params);
        let place = |l: usize, part: usize| name == format!("blocks.{l}.{}.weight", PARTS[part]);
        let (l, part) = (0..carriers.len())
            .flat_map(|l| [(l, 0), (l, 1)])
            .find(|&(l, part)| place(l, part))
            .expect("a matrix of a block");
        saved.values = carriers[l][part].iter().zip(weight).map(|(r, w)| r - w).collect();
    }
    run.refresh();
    run.healthy()
}

/// Both rules on every network, one block after the other.
fn each(mut of: impl FnMut(Run, usize, &str)) {
    for rule in ["sign_symmetry", "kolen_pollack"] {
        for (blocks, net) in (1..=4).flat_map(|blocks| networks(blocks).map(|net| (blocks, net))) {
            for l in 0..blocks {
                let case = format!("{rule}, {net:?}, block {l}");
                of(Run::new(net.clone(), rule, 0.0, SIZES, 27), l, &case);
            }
        }
    }
}

#[test]
fn what_the_definition_carries_agrees() {
    each(|mut run, _, case| {
        let tensors = run.tensors();
        let carriers = defined(&run);
        let credit = carried(&mut run, &carriers);
        let outcome = run.compare_with(&tensors, &credit);
        assert!(matches!(outcome, Consistency::Agrees { .. }), "{case}: {outcome:?}");
    });
}

#[test]
fn the_carrier_of_another_block_transposed_or_unheard_of_is_named() {
    let d = SIZES.d;
    let turned = |r: &Vec<f32>| (0..d * d).map(|i| r[(i % d) * d + i / d]).collect::<Vec<f32>>();
    let mut stream = tensor::random::Stream::new(99, tensor::random::Purpose::Feedback);
    each(|mut run, l, case| {
        let tensors = run.tensors();
        let healthy = defined(&run);
        let mut with = |carrier: Carrier, fault: Fault| {
            let mut carriers = healthy.clone();
            carriers[l] = carrier;
            let credit = carried(&mut run, &carriers);
            named(run.compare_with(&tensors, &credit), l, &fault, &format!("{case}: {fault:?}"));
        };
        for matrix in (0..healthy.len()).filter(|&other| other != l) {
            with(healthy[matrix].clone(), Fault::OtherFeedback { matrix });
        }
        with([0, 1].map(|part| turned(&healthy[l][part])), Fault::FeedbackTransposed);
        with([0, 1].map(|_| (0..d * d).map(|_| stream.normal() as f32).collect()), Fault::Unexplained);
    });
}

/// Where other matrices than the saved ones act everywhere, it is the feedback as a whole. Sign symmetry saves none.
#[test]
fn carriers_that_are_all_others_are_one_finding_where_they_are_saved() {
    let mut stream = tensor::random::Stream::new(98, tensor::random::Purpose::Feedback);
    for rule in ["sign_symmetry", "kolen_pollack"] {
        let mut run = Run::new(networks(3)[0].clone(), rule, 0.0, SIZES, 27);
        let tensors = run.tensors();
        let fresh = |_| [0, 1].map(|_| (0..SIZES.d * SIZES.d).map(|_| stream.normal() as f32).collect());
        let carriers: Vec<Carrier> = (0..3).map(fresh).collect();
        let credit = carried(&mut run, &carriers);
        let Consistency::Differs { findings } = run.compare_with(&tensors, &credit) else { panic!("{rule}") };
        let found: Vec<_> = findings.iter().map(|f| (f.unit, &f.fault)).collect();
        if rule == "kolen_pollack" {
            assert_eq!(found, [(Site::Feedback, &Fault::FeedbackNotSaved)]);
        } else {
            assert_eq!(found, [0, 1, 2].map(|state| (Unit::at(state).into(), &Fault::Unexplained)));
        }
    }
}
