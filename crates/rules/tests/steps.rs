//! What happens to credit and to gradients on the way to AdamW, against PyTorch: normalisation by sample, by batch or not at
//! all, and clipping unit by unit. The fixtures come from `oracles/make_step_fixtures.py`.

mod fixture;

use fixture::Fixture;
use nn::{Architecture, Mlp, MlpSpec, Network};
use rules::{BrokenGradient, Chunk, Clip, ClipUnits, Learner, Modifiers, RuleSpec, Value};
use tensor::{AdamW, Float};

const RULES: [&str; 3] = ["bp", "fa", "dfa"];
const OPTIMISER: AdamW = AdamW { lr: 1e-3, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.01 };
const BATCH: usize = 6;

fn of<T: Float>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&x| T::of(x)).collect()
}

/// The learner at the start of the fixtures.
fn learner<T: Float>(start: &Fixture, rule: &RuleSpec, modifiers: Modifiers) -> Learner<T, Mlp>
where
    Mlp: Network<T>,
{
    let net = MlpSpec::resmlp(7, 12, 3, 5).build().expect("valid");
    let mut learner = Learner::new(net, rule, modifiers, 0).expect("known rule");
    for (l, saved) in learner.rule.saved_mut().iter_mut().enumerate() {
        saved.values = of(&start.get(&format!("feedback/{}.{l}", rule.name)));
    }
    for tensor in learner.net.layout().tensors().to_vec() {
        let values = of(&start.get(&format!("param/{}", tensor.name)));
        tensor.from_torch(&values, &mut learner.params);
    }
    learner
}

/// The batch of the fixtures in chunks of `rows`.
fn chunks<T: Float>(start: &Fixture, learner: &Learner<T, Mlp>, rows: usize) -> Vec<Chunk<T, Mlp>>
where
    Mlp: Network<T>,
{
    let x: Vec<T> = of(&start.get("x"));
    let inputs = x.len() / BATCH;
    let chunk = |i: usize| {
        let mut chunk = learner.chunk(rows);
        chunk.x.copy_from_slice(&x[i * rows * inputs..(i + 1) * rows * inputs]);
        chunk.labels = start.labels()[i * rows..(i + 1) * rows].to_vec();
        chunk
    };
    (0..BATCH / rows).map(chunk).collect()
}

fn train<T: Float>(learner: &mut Learner<T, Mlp>, chunks: &mut [Chunk<T, Mlp>], threads: usize)
where
    Mlp: Network<T>,
{
    for t in 1..=3 {
        chunks.iter_mut().for_each(|chunk| learner.learn(chunk, BATCH, t));
        learner.descend(t, OPTIMISER, chunks, threads).expect("finite gradients");
    }
}

/// Compares a vector as long as the parameters with a case of the fixture, tensor by tensor.
fn check<T: Float>(steps: &Fixture, net: &Mlp, case: &str, values: &[T], tolerance: f64) {
    for tensor in net.layout().tensors() {
        let key = format!("{case}/{}", tensor.name);
        let error = steps.distance(&key, &tensor.to_torch(values));
        assert!(error <= tolerance, "{key}: {error:e}");
    }
}

fn clipped<T: Float>(tolerance: f64)
where
    Mlp: Network<T>,
{
    let start = Fixture::open("resmlp");
    let steps = Fixture::open("steps");
    for (rule, norm) in RULES.into_iter().zip([1.75, 4.65, 5.0]) {
        for (pen, penalty) in [("pen0", 0.0), ("pen0.05", 0.05)] {
            for (word, units) in [("blocks", ClipUnits::Blocks), ("all", ClipUnits::All)] {
                for (rows, threads) in [(6, 1), (2, 3), (1, 7)] {
                    let modifiers = Modifiers { penalty, clip: Clip { norm, units }, ..Modifiers::default() };
                    let mut learner = learner::<T>(&start, &rule.into(), modifiers);
                    let mut chunks = chunks(&start, &learner, rows);
                    train(&mut learner, &mut chunks, threads);
                    let case = format!("{rule}/{pen}/clip_{word}");
                    check(&steps, &learner.net, &format!("{case}/first"), &learner.first, tolerance);
                    check(&steps, &learner.net, &format!("{case}/after3"), &learner.params, tolerance);
                }
            }
        }
    }
}

#[test]
fn clipped_gradients_are_those_of_pytorch() {
    clipped::<f64>(1e-9);
    clipped::<f32>(1e-5);
}

fn normalised<T: Float>(tolerance: f64)
where
    Mlp: Network<T>,
{
    let start = Fixture::open("resmlp");
    let steps = Fixture::open("steps");
    for rule in RULES {
        for how in ["sample", "batch", "none"] {
            let spec =
                RuleSpec::with(rule, &[("rule.normalise", Value::Word(how))]).expect("a key of every rule");
            let mut learner = learner::<T>(&start, &spec, Modifiers::default());
            // As many threads as there are: by batch, one chunk has all samples.
            let rows = BATCH / learner.chunks_for(3);
            assert_eq!(rows, if how == "batch" { BATCH } else { 2 }, "{rule} {how}");
            let mut chunks = chunks(&start, &learner, rows);
            chunks.iter_mut().for_each(|chunk| learner.learn(chunk, BATCH, 1));
            let gradient = learner.gradient(&chunks);
            check(&steps, &learner.net, &format!("{rule}/{how}/grad"), &gradient, tolerance);
            train(&mut learner, &mut chunks, 3);
            check(&steps, &learner.net, &format!("{rule}/{how}/after3"), &learner.params, tolerance);
        }
    }
}

#[test]
fn normalised_credit_is_that_of_pytorch() {
    normalised::<f64>(1e-9);
    normalised::<f32>(1e-5);
}

/// The parameters after a few steps on the same data, on so many threads.
fn bytes(clip: Clip, threads: usize) -> Vec<u32> {
    let start = Fixture::open("resmlp");
    let modifiers = Modifiers { clip, ..Modifiers::default() };
    let mut learner = learner::<f32>(&start, &"dfa".into(), modifiers);
    let mut chunks = chunks(&start, &learner, 2);
    train(&mut learner, &mut chunks, threads);
    learner.params.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn the_number_of_threads_leaves_no_trace_in_clipped_steps() {
    for units in [ClipUnits::Blocks, ClipUnits::All] {
        let clip = Clip { norm: 5.0, units };
        let alone = bytes(clip, 1);
        (2..9).for_each(|threads| assert_eq!(bytes(clip, threads), alone, "{threads} threads"));
    }
}

#[test]
fn a_norm_that_no_gradient_reaches_changes_no_byte() {
    let clip = Clip { norm: 1e6, units: ClipUnits::All };
    assert_eq!(bytes(clip, 2), bytes(Clip::default(), 2));
}

#[test]
fn a_gradient_that_is_not_finite_is_refused_with_its_unit() {
    let start = Fixture::open("resmlp");
    let clip = Clip { norm: 1.0, units: ClipUnits::Blocks };
    let mut learner = learner::<f32>(&start, &"dfa".into(), Modifiers { clip, ..Modifiers::default() });
    learner.rule.saved_mut()[1].values[0] = f32::MAX;
    let mut chunks = chunks(&start, &learner, 6);
    // In the normalisation the square overflows, 1/∞ is 0, and 0·MAX is 0: only raw credit can break a gradient.
    learner.normalise = rules::Normalise::None;
    learner.learn(&mut chunks[0], BATCH, 1);
    let before = learner.params.clone();
    let BrokenGradient { unit, norm } = learner.descend(1, OPTIMISER, &chunks, 2).expect_err("an overflow");
    assert_eq!(unit, nn::Unit::Block(1));
    assert!(!norm.is_finite(), "{norm}");
    let range = learner.net.layout().unit(unit);
    assert_eq!(learner.params[range.clone()], before[range], "it is not moved");
}
