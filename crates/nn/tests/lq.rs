//! The linear-quadratic system: its costate against the formula and against differences of the cost.

use nn::{Architecture, LqSpec, Network, Tape};
use tensor::random::{Purpose, Stream};

const ROWS: usize = 3;

#[test]
fn the_costate_is_that_of_the_formula_and_the_slope_of_the_cost() {
    let d = 7;
    let blocks = 4;
    let outputs = 3;
    let system = LqSpec::new(d, blocks, outputs).build().expect("valid");
    let params: Vec<f64> = system.initial(3);
    let mut stream = Stream::new(1, Purpose::Teacher);
    let x: Vec<f64> = (0..ROWS * system.spec().inputs()).map(|_| stream.normal()).collect();
    let mut tape = Network::<f64>::tape(&system, ROWS);
    let mut losses = vec![0.0; ROWS];
    system.forward(&params, &x, ROWS, &mut tape);
    system.loss(&mut tape, &[0; ROWS], &mut losses);
    let layout = system.layout();
    let matrix = |name: String| layout.get(&name).expect("there").to_torch(&params);
    let (a, c): (Vec<_>, _) = (
        (0..blocks).map(|l| matrix(format!("blocks.{l}.weight"))).collect(),
        matrix("cost.weight".to_owned()),
    );

    for i in 0..ROWS {
        // By plain loops: states, error, cost, costate.
        let own = &x[i * system.spec().inputs()..][..system.spec().inputs()];
        let mut h = own[..d].to_vec();
        for (l, a) in a.iter().enumerate() {
            let noise = &own[d + outputs + l * d..];
            h = (0..d).map(|r| (0..d).map(|k| a[r * d + k] * h[k]).sum::<f64>() + 0.03 * noise[r]).collect();
        }
        let e: Vec<f64> =
            (0..outputs).map(|r| (0..d).map(|k| c[r * d + k] * h[k]).sum::<f64>() - own[d + r]).collect();
        let cost = 0.5 * e.iter().map(|e| e * e).sum::<f64>();
        assert!((losses[i] - cost).abs() < 1e-12);
        let mut costate: Vec<f64> = (0..d).map(|k| (0..outputs).map(|r| c[r * d + k] * e[r]).sum()).collect();
        let mut p = vec![0.0; ROWS * d];
        system.head_vjp(&params, &mut tape, &mut p);
        for l in (0..=blocks).rev() {
            let got = &p[i * d..(i + 1) * d];
            assert!(got.iter().zip(&costate).all(|(a, b)| (a - b).abs() < 1e-12), "sample {i}, layer {l}");
            if l > 0 {
                let mut below = vec![0.0; ROWS * d];
                tape.signal_mut(l).0.copy_from_slice(&p);
                system.branch_vjp(&params, l - 1, &mut tape, Some(&mut below));
                p = below.iter().zip(&p).map(|(b, s)| b + s).collect();
                costate = (0..d).map(|k| (0..d).map(|r| a[l - 1][r * d + k] * costate[r]).sum()).collect();
            }
        }
        // The slope of the cost at h_0 is the costate there; the cost is a square, so central differences are exact.
        for k in 0..d {
            let cost_at = |by: f64| {
                let mut moved = x.clone();
                moved[i * system.spec().inputs() + k] += by;
                let mut tape = Network::<f64>::tape(&system, ROWS);
                let mut losses = vec![0.0; ROWS];
                system.forward(&params, &moved, ROWS, &mut tape);
                system.loss(&mut tape, &[0; ROWS], &mut losses);
                losses[i]
            };
            assert!(((cost_at(0.5) - cost_at(-0.5)) - costate[k]).abs() < 1e-10);
        }
    }
}

/// No direction is stretched by more than the bound, and the dynamics are what was asked for otherwise.
#[test]
fn dynamics_are_near_the_identity_and_bounded() {
    let d = 64;
    let system = LqSpec::new(d, 12, 10).build().expect("valid");
    let params: Vec<f64> = system.initial(42);
    for l in 0..12 {
        let a = system.layout().get(&format!("blocks.{l}.weight")).expect("there").to_torch(&params);
        let mut v: Vec<f64> = (0..d).map(|i| f64::from(i as u32 % 7) - 3.0).collect();
        let mut stretch = 0.0;
        for _ in 0..200 {
            let w: Vec<f64> = (0..d).map(|r| (0..d).map(|k| a[r * d + k] * v[k]).sum()).collect();
            let back: Vec<f64> = (0..d).map(|k| (0..d).map(|r| a[r * d + k] * w[r]).sum()).collect();
            let size = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            stretch = size(&w) / size(&v);
            v = back.iter().map(|x| x / size(&back)).collect();
        }
        assert!((1.1..=1.2 + 1e-5).contains(&stretch), "{stretch}");
        let trace: f64 = (0..d).map(|i| a[i * d + i]).sum::<f64>() / d as f64;
        assert!((0.7..1.1).contains(&trace), "{trace}");
    }
}
