//! Both bridges against PyTorch, which takes second derivatives by itself, and what they are known for.

mod fixture;

use fixture::Fixture;
use nn::{Architecture, Mlp, MlpSpec, Network};
use rules::{BatchView, Credit, Given, Learner, Modifiers, RuleGradient, RuleSpec, Value, signals};
use tensor::in_panels;

const SIZES: (usize, usize, usize, usize, usize) = (7, 12, 3, 5, 6);
const WIDTH: usize = 9;
const SCALE: f64 = 1.7;
const EMA_SHIFT: f64 = 0.03;

/// Weights and biases of the three layers as our flat vector has them.
fn flat(fixture: &Fixture, key: &str) -> Vec<f64> {
    let mut flat = Vec::new();
    for layer in 0..3 {
        let weight = fixture.get(&format!("{key}/{}", 2 * layer));
        let bias = fixture.get(&format!("{key}/{}", 2 * layer + 1));
        let (outputs, inputs) = (bias.len(), weight.len() / bias.len());
        let start = flat.len();
        flat.resize(start + weight.len(), 0.0);
        for (i, value) in weight.into_iter().enumerate() {
            flat[start + in_panels(inputs, outputs, i % inputs, i / inputs)] = value;
        }
        flat.extend(bias);
    }
    flat
}

fn learner(fixture: &Fixture, rule: &str, condition: &'static str, key: &str) -> Learner<f64, Mlp> {
    let (inputs, d, blocks, classes, _) = SIZES;
    let mut settings =
        vec![("rule.condition", Value::Word(condition)), ("rule.bridge_width", Value::Whole(WIDTH as i64))];
    if rule == "credit_bridge" {
        let copies = ("rule.copies", Value::Whole(1));
        settings.extend([copies, ("rule.noise", Value::Real(0.0)), ("rule.warm_up", Value::Real(0.0))]);
    }
    let net = MlpSpec::resmlp(inputs, d, blocks, classes).build().expect("valid");
    let spec = RuleSpec::with(rule, &settings).expect("its keys");
    let mut learner = Learner::new(net, &spec, Modifiers::default(), 0).expect("known");
    for tensor in learner.net.layout().tensors().to_vec() {
        tensor.from_torch(&fixture.get(&format!("param/{}", tensor.name)), &mut learner.params);
    }
    for saved in learner.rule.saved_mut() {
        match saved.name.as_str() {
            "rule.net" => saved.values = flat(fixture, &format!("{key}/net")),
            "rule.slow" => {
                saved.values = flat(fixture, &format!("{key}/net")).iter().map(|w| w + EMA_SHIFT).collect();
            }
            "rule.scale" => saved.values = vec![SCALE],
            _ => {}
        }
    }
    learner
}

#[test]
fn credit_and_lesson_agree_with_pytorch() {
    let fixture = Fixture::open("bridges");
    let (.., blocks, _, rows) = SIZES;
    for rule in ["state_bridge", "credit_bridge"] {
        for name in ["error", "gradient"] {
            let key = format!("{rule}/{name}");
            let learner = learner(&fixture, rule, name, &key);
            let mut chunk = learner.chunk(rows);
            chunk.x.copy_from_slice(&fixture.get("x"));
            chunk.labels = fixture.labels();
            let seen = signals(&learner, &mut chunk, rows);
            for l in 0..blocks {
                let error = fixture.distance(&format!("{key}/credit/{l}"), &seen.credit[l + 1]);
                assert!(error < 1e-10, "{key}, credit of block {l}: {error:e}");
            }
            assert_eq!(seen.credit[0], seen.credit[1], "{key}");
            let mut losses = vec![0.0; rows];
            learner.net.loss(&mut chunk.tape().clone(), &chunk.labels, &mut losses);
            let (net, params, tape) = (&learner.net, &learner.params[..], chunk.tape());
            let (x, labels, p_last) = (&chunk.x[..], &chunk.labels[..], &seen.p[blocks][..]);
            let (e, losses, samples) = (chunk.error(), &losses[..], rows);
            let batch = BatchView { net, params, x, tape, labels, losses, e, p_last, samples };
            let Credit::Given(gives) = learner.rule.credit() else { panic!("it gives credit") };
            let mut gradient =
                RuleGradient { t: 1, values: vec![0.0; gives.own_parameters()], observed: 0.0 };
            let mut credit = vec![vec![0.0; p_last.len()]; blocks + 1];
            gives.give(&batch, Given { credit: &mut credit, gradient: Some(&mut gradient), report: None });
            let want = flat(&fixture, &format!("{key}/grad"));
            let error = fixture::distance(&gradient.values, &want);
            assert!(error < 1e-8, "{key}, what the net learns: {error:e}");
            if rule == "state_bridge" {
                let (said, want) = (seen.report.notes[0].1, fixture.get(&format!("{key}/error"))[0]);
                assert!((said / want - 1.0).abs() < 1e-12, "{said} {want}");
            }
        }
    }
}
