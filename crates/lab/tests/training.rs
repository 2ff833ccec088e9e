//! What training records: identities that hold for any numbers, and two results that a reader would check.

mod common;
mod saved;

use common::{SMALL, train};
use record::series::UPDATE_COSINE;
use record::{Epoch, Measured, Run, Why};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn timeless(run: &Run) -> Vec<Epoch> {
    run.epochs.iter().map(Epoch::timeless).collect()
}

#[test]
fn cosines_obey_the_definitions_at_every_epoch() {
    let out = folder();
    let runs = train(&format!("{SMALL}rule.name = ['bp', 'fa', 'dfa']"), out.path());
    let value = |cosine: &Measured| cosine.value().expect("a value");
    for (run, epoch) in runs.iter().flat_map(|run| run.epochs.iter().map(move |epoch| (run, epoch))) {
        let e = &epoch.evaluation;
        assert_eq!((e.cosine().len(), e.cosine_at_input().len(), e.hidden().len()), (4, 3, 4));
        match run.record.rule.as_str() {
            "bp" => {
                let all = e.cosine().iter().chain(e.values(&UPDATE_COSINE));
                assert_eq!(all.filter(|c| (value(c) - 1.0).abs() < 1e-12).count(), 8, "{e:?}");
            }
            "fa" => {
                assert!((value(&e.cosine()[3]) - 1.0).abs() < 1e-6, "{e:?}");
                // Credit is the gradient there, but every sample weighs the same.
                let update = value(&e.values(&UPDATE_COSINE)[3]);
                assert!((0.2..0.999_999).contains(&update), "{update}");
            }
            _ => assert_eq!(e.cosine()[0], e.cosine_at_input()[0]),
        }
    }
    assert_eq!(
        runs[0].epochs[0].evaluation.hidden(),
        runs[2].epochs[0].evaluation.hidden(),
        "equal conditions"
    );
    assert!(runs[0].epochs[0].train.is_none() && runs[0].epochs.len() == 4);
}

#[test]
fn frozen_is_trainable_last_0_and_changes_that_change_nothing_change_no_byte() {
    let out = folder();
    let trained =
        |name: &str, more: &str| timeless(&train(&format!("{SMALL}{more}"), &out.path().join(name))[0]);
    for rule in ["bp", "fa", "dfa"] {
        let with = |name: &str, more: &str| {
            trained(&format!("{rule}-{name}"), &format!("rule.name = '{rule}'\n{more}"))
        };
        assert_eq!(with("frozen", "rule.frozen = true"), with("last0", "rule.trainable_last = 0"), "{rule}");
        let plain = with("plain", "");
        assert_eq!(plain, with("last3", "rule.trainable_last = 3"), "{rule}");
        assert_eq!(plain, with("pen0", "rule.penalty = 0.0"), "{rule}");
        assert_ne!(plain, with("pen", "rule.penalty = 0.1"), "{rule}");
        assert_ne!(plain, with("random", "rule.random_targets = true"), "{rule}");
    }
}

#[test]
fn update_cosines_are_of_trained_units_and_know_no_penalty() {
    let out = folder();
    let runs = train(&format!("{SMALL}rule.penalty = 0.1\nrule.trainable_last = 2"), out.path());
    let cosines = runs[0].epochs[1].evaluation.values(&UPDATE_COSINE);
    assert_eq!(cosines[1], Measured::Undefined { why: Why::NotTrained });
    assert!([0, 2, 3].iter().all(|&unit| (cosines[unit].defined().expect("trained") - 1.0).abs() < 1e-12));
}

#[test]
fn drift_is_zero_for_frozen_blocks_and_positive_elsewhere() {
    let out = folder();
    let runs = train(&format!("{SMALL}rule.frozen = true"), out.path());
    let drift = runs[0].record.drift.as_ref().expect("a finished run has its drift");
    for (name, value) in drift {
        assert_eq!(*value == 0.0, name.starts_with("blocks."), "{name}: {value}");
    }
    assert!(drift.contains_key("blocks.0.w1.weight") && !drift.contains_key("blocks.0.w2.bias"));
}

#[test]
fn random_targets_cannot_be_learnt() {
    let out = folder();
    let recipe = format!("{SMALL}rule.random_targets = [false, true]").replace("epochs = 3", "epochs = 8");
    let runs = train(&recipe, out.path());
    let accuracy = |run: &Run| run.last().expect("an epoch").test.accuracy;
    assert!(accuracy(&runs[0]) > 0.7, "{}", accuracy(&runs[0]));
    assert!(accuracy(&runs[1]) < 0.3, "{}", accuracy(&runs[1]));
}

/// Nothing decays, so that whatever moves has been given credit; and labels reach every unit, by whichever way the rule takes.
#[test]
fn every_rule_trains_every_unit_on_random_targets() {
    let vit = "net.name = 'vit'\nnet.d = 8\nnet.heads = 2\nnet.mlp = 12";
    for (rule, net) in rules::NAMES.into_iter().flat_map(|rule| [(rule, "net.d = 12"), (rule, vit)]) {
        let out = folder();
        let own = match rule {
            "state_bridge" | "credit_bridge" => "rule.bridge_width = 24",
            "kolen_pollack" | "dkp" => "rule.decay = 0.0",
            _ => "",
        };
        let recipe = format!(
            "data.name = 'digits'\n{net}\nnet.blocks = 2\nrule.name = '{rule}'\n{own}\n\
             rule.random_targets = [false, true]\noptim.weight_decay = 0.0\n\
             train.epochs = 2\ntrain.batch = 479\neval.samples = 50\naudit.every = 0"
        );
        let runs = train(&recipe, out.path());
        let differing = saved::differing(&runs[0].path, &runs[1].path);
        let differs = |name: &String| differing.contains(name);
        for run in &runs {
            for (name, &drift) in run.record.drift.as_ref().expect("a finished run has its drift") {
                assert!(drift.is_finite() && drift > 0.0, "{}, {net}: {name}: {drift}", run.record.id);
                assert!(differs(name), "{rule}, {net}: {name} is the same whatever the labels");
            }
        }
        let bridge = rule.ends_with("bridge");
        assert!(!bridge || differs(&"rule.net".to_owned()), "{rule}, {net}: {differing:?}");
    }
}

/// The default teacher is a task on which depth pays: a linear model (the student without its blocks) stays well
/// below backpropagation, which reaches .9.
#[test]
fn the_default_teacher_needs_depth() {
    let out = folder();
    let recipe = "data.name = 'teacher'\nnet.name = 'student'\nrule.shallow = [false, true]\ntrain.epochs = 10\n\
                  eval.samples = 128\naudit.every = 0";
    let runs = train(recipe, out.path());
    let accuracy: Vec<f64> = runs.iter().map(|run| run.last().expect("an epoch").test.accuracy).collect();
    assert!(accuracy[0] >= 0.9 && accuracy[1] <= 0.65, "deep {}, linear {}", accuracy[0], accuracy[1]);
}

/// The feedback that a run used is in its checkpoint, and comes from there: not from the seed once more.
#[test]
fn a_checkpoint_restores_the_feedback() {
    let out = folder();
    for rule in ["fa", "dfa"] {
        let recipe = format!("{SMALL}rule.name = '{rule}'");
        let run = train(&recipe, out.path()).remove(0);
        let spec = common::runs(&recipe).remove(0);
        let learner = |seed| {
            rules::Learner::<f32, nn::Net>::new(spec.net.clone(), &spec.rule, spec.modifiers, seed)
                .expect("known")
        };
        let (used, mut other) = (learner(spec.seed), learner(spec.seed + 1));
        assert_ne!(used.rule.saved(), other.rule.saved());
        lab::Checkpoint::read(&run.path, &run.record.provenance, &mut other).expect("whole").expect("there");
        assert_eq!(used.rule.saved(), other.rule.saved(), "{rule}");
    }
}

/// One evaluation recomputed from the checkpoint by plain loops in f64, over more samples than pass at once.
#[test]
fn an_evaluation_is_what_its_definition_says() {
    let out = folder();
    let recipe = format!("{}rule.name = 'dfa'", SMALL.replace("samples = 100", "samples = 300"));
    let run = train(&recipe, out.path()).remove(0);
    let spec = common::runs(&recipe).remove(0);
    let net = spec.net.clone();
    let mut saved =
        rules::Learner::<f32, nn::Net>::new(net.clone(), &spec.rule, spec.modifiers, 0).expect("known");
    lab::Checkpoint::read(&run.path, &run.record.provenance, &mut saved).expect("whole").expect("there");
    let mut judge = rules::Learner::<f64, nn::Net>::new(net, &spec.rule, spec.modifiers, 0).expect("known");
    for (to, from) in judge.rule.saved_mut().iter_mut().zip(saved.rule.saved()) {
        to.values = from.values.iter().map(|&x| f64::from(x)).collect();
    }
    judge.params = saved.params.iter().map(|&x| f64::from(x)).collect();
    let data = data::load(&spec.source, &data::Folder::at("/nonexistent")).expect("built in");
    let mut chunk = judge.chunk(300);
    for i in 0..300 {
        let mut row = vec![0.0f32; data.inputs];
        data.test.write(i, data::View::Plain, &mut row);
        chunk.x[i * data.inputs..(i + 1) * data.inputs].copy_from_slice(&row.map_to_f64());
        chunk.labels.push(data.test.label(i));
    }
    let seen = rules::signals(&judge, &mut chunk, spec.batch);
    let rows = |values: &[f64]| values.chunks_exact(20).map(<[f64]>::to_vec).collect::<Vec<_>>();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let median = |values: &[f64]| {
        let mut norms: Vec<f64> = rows(values).iter().map(|row| dot(row, row).sqrt()).collect();
        norms.sort_by(f64::total_cmp);
        0.5 * (norms[149] + norms[150])
    };
    let cosine = |a: &[f64], p: &[f64]| {
        let of = |(a, p): (&Vec<f64>, &Vec<f64>)| dot(a, p) / (dot(a, a) * dot(p, p)).sqrt();
        rows(a).iter().zip(&rows(p)).map(of).sum::<f64>() / 300.0
    };
    let close = |got: f64, want: f64, what: &str| {
        assert!((got - want).abs() <= 1e-4 * (1e-2 + want.abs()), "{what}: {got}, {want}")
    };
    let e = &run.last().expect("an epoch").evaluation;
    for l in 0..4 {
        close(e.hidden()[l], median(nn::Tape::hidden(chunk.tape(), l)), "hidden");
        close(e.gradient()[l], median(&seen.p[l]), "gradient");
        close(e.credit()[l], median(&seen.credit[l]), "credit");
        close(e.cosine()[l].value().expect("defined"), cosine(&seen.credit[l], &seen.p[l]), "cosine");
        if l < 3 {
            close(
                e.cosine_at_input()[l].value().expect("defined"),
                cosine(&seen.credit[l + 1], &seen.p[l]),
                "cosine_at_input",
            );
        }
    }
    // Drift of one tensor, by its definition.
    let layout = nn::Architecture::layout(&spec.net);
    let range = layout.get("blocks.1.w1.weight").expect("a weight").range.clone();
    let start: Vec<f32> = nn::Network::<f32>::initial(&spec.net, spec.seed);
    let (start, end) = (start[range.clone()].map_to_f64(), &judge.params[range]);
    let moved: Vec<f64> = start.iter().zip(end).map(|(a, b)| b - a).collect();
    let drift = run.record.drift.as_ref().expect("finished")["blocks.1.w1.weight"];
    close(drift, (dot(&moved, &moved) / dot(&start, &start)).sqrt(), "drift");
}

trait MapToF64 {
    fn map_to_f64(&self) -> Vec<f64>;
}

impl MapToF64 for [f32] {
    fn map_to_f64(&self) -> Vec<f64> {
        self.iter().map(|&x| f64::from(x)).collect()
    }
}
