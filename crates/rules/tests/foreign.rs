//! A rule from outside is a rule: registered by name, with keys, the credit that it computes, state and faults.

use nn::{Architecture, Mlp, MlpSpec, Network};
use rules::{
    Credit, Error, ForeignMaker, ForeignNet, ForeignRule, ForeignTensor, Learner, Modifiers, RuleSpec, Seen,
    Value, build, register, signals,
};

/// Direct feedback by a multiple of the head's transposed weight, which it takes from the network's weights.
struct Maker {
    gain: f32,
}

struct Through {
    head: Vec<f32>,
    width: usize,
    gain: f32,
    steps: f32,
    broken: bool,
}

impl ForeignMaker for Maker {
    fn make(
        &self,
        parameters: &[(&'static str, Value)],
        net: ForeignNet,
        _seed: u64,
    ) -> Result<Box<dyn ForeignRule>, String> {
        assert_eq!(parameters.len(), 1, "its own keys alone: {parameters:?}");
        let ("gain", Value::Real(gain)) = parameters[0] else { return Err(format!("{parameters:?}")) };
        let head = net.weights.iter().find(|tensor| tensor.name == "out_head.weight").ok_or("no head")?;
        assert_eq!(head.shape, [net.classes, *net.states.last().expect("states")], "PyTorch's shape");
        let width = head.shape[1];
        let gain = gain as f32 * self.gain;
        Ok(Box::new(Through { head: head.values.clone(), width, gain, steps: 0.0, broken: gain < 0.0 }))
    }
}

impl ForeignRule for Through {
    fn credit(&self, seen: Seen) -> Result<Vec<Vec<f32>>, String> {
        if self.broken {
            return Err("block 1: broken".to_owned());
        }
        let classes = self.head.len() / self.width;
        let row = |e: &[f32]| -> Vec<f32> {
            let of = |j: usize| (0..classes).map(|c| e[c] * self.head[c * self.width + j]).sum::<f32>();
            (0..self.width).map(|j| self.gain * of(j)).collect()
        };
        let credit: Vec<f32> = seen.e.chunks_exact(classes).flat_map(row).collect();
        Ok(vec![credit; seen.h.len()])
    }

    fn follows_steps(&self) -> bool {
        true
    }

    fn after_step(&mut self, step: u64, lr: f64, weights: Vec<ForeignTensor>) -> Result<(), String> {
        assert!(step > 0 && lr > 0.0 && weights.iter().any(|tensor| tensor.name == "embed.weight"));
        self.steps += 1.0;
        Ok(())
    }

    fn state(&self) -> Result<Vec<ForeignTensor>, String> {
        Ok(vec![ForeignTensor { name: "steps".to_owned(), shape: vec![1], values: vec![self.steps] }])
    }

    fn restore(&mut self, state: Vec<ForeignTensor>) -> Result<(), String> {
        self.steps = state[0].values[0];
        Ok(())
    }

    fn redrawn(&self, _seed: u64) -> Result<Option<Box<dyn ForeignRule>>, String> {
        Ok(None)
    }
}

fn registered(name: &str, source: &str, gain: f32) {
    let maker = Box::new(Maker { gain });
    register(name, source, &[("gain", Value::Real(1.0))], None, maker).expect("registered");
}

fn learner(spec: &RuleSpec) -> Result<Learner<f32, Mlp>, Error> {
    Learner::new(MlpSpec::resmlp(3, 4, 2, 3).build().expect("valid"), spec, Modifiers::default(), 1)
}

#[test]
fn its_credit_is_what_it_computes_from_the_error() {
    registered("through", "1", 1.0);
    let spec = RuleSpec::with("through", &[("rule.gain", Value::Real(2.0))]).expect("its own key");
    let learner = learner(&spec).expect("built");
    let mut chunk = learner.chunk(5);
    chunk.x.iter_mut().enumerate().for_each(|(i, x)| *x = (i as f32).sin());
    chunk.labels = vec![0, 1, 2, 0, 1];
    let seen = signals(&learner, &mut chunk, 5);
    let head = learner.net.layout().get("out_head.weight").expect("a head").to_torch(&learner.params);
    for row in 0..5 {
        let e = &chunk.error()[row * 3..row * 3 + 3];
        for j in 0..4 {
            let expected: f32 = 2.0 * (0..3).map(|c| e[c] * head[c * 4 + j]).sum::<f32>();
            for unit in 0..3 {
                assert!((seen.credit[unit][row * 4 + j] - expected).abs() < 1e-6);
            }
        }
    }
    // A sum over samples alone would let threads share them; nobody knows that of a rule from outside.
    assert_eq!(learner.chunks_for(4), 1);
    assert!(matches!(learner.rule.credit(), Credit::Given(_)));
}

#[test]
fn what_it_learns_is_saved_and_restored() {
    registered("counting", "1", 1.0);
    let mut learner = learner(&"counting".into()).expect("built");
    let mut chunk = learner.chunk(2);
    chunk.x.fill(0.3);
    chunk.labels = vec![0, 1];
    let optimiser = tensor::AdamW { lr: 0.01, beta1: 0.9, beta2: 0.999, eps: 1e-8, weight_decay: 0.0 };
    for t in 1..=3 {
        learner.learn(&mut chunk, 2, t);
        learner.descend(t, optimiser, std::slice::from_ref(&chunk), 1).expect("finite");
    }
    let [saved] = learner.rule.saved() else { panic!("{:?}", learner.rule.saved()) };
    assert_eq!(
        (saved.name.as_str(), saved.values.as_slice(), saved.fixed),
        ("rule.state.steps", &[3.0][..], false)
    );
    learner.rule.saved_mut()[0].values = vec![7.0];
    learner.rule.refresh(&learner.net, &learner.params);
    learner.learn(&mut chunk, 2, 4);
    learner.descend(4, optimiser, std::slice::from_ref(&chunk), 1).expect("finite");
    assert_eq!(learner.rule.saved()[0].values, [8.0], "it went on from what was restored");
}

#[test]
fn a_fault_is_kept_and_its_credit_is_zero() {
    registered("faulty", "1", -1.0);
    let learner = learner(&"faulty".into()).expect("built");
    let mut chunk = learner.chunk(1);
    chunk.x.fill(0.3);
    chunk.labels = vec![0];
    assert_eq!(learner.rule.fault(), None);
    let seen = signals(&learner, &mut chunk, 1);
    assert_eq!(learner.rule.fault().as_deref(), Some("block 1: broken"));
    assert!(seen.credit.iter().flatten().all(|&a| a == 0.0));
}

#[test]
fn names_and_keys_that_are_taken_are_refused() {
    let refused = |name: &str, parameters: &[(&str, Value)]| {
        register(name, "1", parameters, None, Box::new(Maker { gain: 1.0 })).expect_err("refused").to_string()
    };
    assert!(refused("dfa", &[]).contains("built-in"));
    assert!(refused("my rule", &[]).contains("letters"));
    assert!(refused("mine", &[("penalty", Value::Real(1.0))]).contains("already a key"));
    // A key that another rule has with another kind, and one with the same.
    assert!(refused("mine", &[("decay", Value::Flag(true))]).contains("already a key"));
    assert!(refused("mine", &[("rate", Value::Real(f64::NAN))]).contains("finite"));
    assert!(refused("mine", &[("kind", Value::Word("two words"))]).contains("short name"));
    registered("first", "1", 1.0);
    registered("second", "1", 1.0);
}

#[test]
fn another_version_than_the_recipes_is_not_built() {
    registered("changing", "1", 1.0);
    let old = RuleSpec::from("changing");
    registered("changing", "2", 1.0);
    let asked = RuleSpec::with("changing", &[("rule.source", Value::Word("1"))]).expect("a key");
    let net = MlpSpec::resmlp(3, 4, 2, 3).build().expect("valid");
    let params: Vec<f32> = net.initial(1);
    let Err(error) = build(&asked, &net, &params, 1) else { panic!("built") };
    assert!(error.to_string().contains("version 1") && error.to_string().contains("is 2"), "{error}");
    // A spec that was made before keeps the rule that it was made for.
    assert!(build(&old, &net, &params, 1).is_ok());
}
