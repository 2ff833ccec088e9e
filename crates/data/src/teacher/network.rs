//! The teacher's weights, inputs and logits.

use tensor::random::{Purpose, Stream};

use super::TeacherSpec;

/// A matrix of the teacher, row by row.
pub(super) struct Matrix {
    columns: usize,
    pub(super) values: Vec<f64>,
}

impl Matrix {
    fn draw(stream: &mut Stream, rows: usize, columns: usize, gain: f64) -> Self {
        let std = gain / (columns as f64).sqrt();
        Self { columns, values: (0..rows * columns).map(|_| std * stream.normal()).collect() }
    }

    fn times<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.values.chunks_exact(self.columns).map(move |row| row.iter().zip(x).map(|(w, x)| w * x).sum())
    }
}

/// One residual block: W1, b1, W2.
pub(super) struct Block {
    w1: Matrix,
    b1: Vec<f64>,
    w2: Matrix,
}

/// The network that labels the inputs.
pub(super) struct Teacher {
    pub(super) embed: Matrix,
    blocks: Vec<Block>,
    pub(super) head: Matrix,
}

impl Teacher {
    pub(super) fn draw(spec: &TeacherSpec) -> Self {
        let mut stream = Stream::at(spec.seed, Purpose::Teacher, 0, 0);
        let embed = Matrix::draw(&mut stream, spec.width, spec.inputs, 1.0);
        let blocks = (0..spec.blocks)
            .map(|_| Block {
                w1: Matrix::draw(&mut stream, spec.width, spec.width, spec.gain),
                b1: (0..spec.width).map(|_| spec.bias * stream.normal()).collect(),
                w2: Matrix::draw(&mut stream, spec.width, spec.width, spec.gain),
            })
            .collect();
        Self { embed, blocks, head: Matrix::draw(&mut stream, spec.classes, spec.width, 1.0) }
    }

    /// `n` inputs and their logits. Each split has its own stream, so that the size of one does not change the other.
    pub(super) fn samples(&self, spec: &TeacherSpec, split: u64, n: usize) -> (Vec<f32>, Vec<f64>) {
        let mut stream = Stream::at(spec.seed, Purpose::Teacher, split, 0);
        let mut inputs = Vec::with_capacity(n * spec.inputs);
        let mut logits = Vec::with_capacity(n * spec.classes);
        let mut x = vec![0.0; spec.inputs];
        for _ in 0..n {
            for value in &mut x {
                // The teacher labels what the student sees: the input rounded to f32.
                let rounded = stream.normal() as f32;
                inputs.push(rounded);
                *value = f64::from(rounded);
            }
            logits.extend(self.logits(&x));
        }
        (inputs, logits)
    }

    fn logits(&self, x: &[f64]) -> Vec<f64> {
        let mut h: Vec<f64> = self.embed.times(x).collect();
        for Block { w1, b1, w2 } in &self.blocks {
            let inner: Vec<f64> = w1.times(&h).zip(b1).map(|(z, b)| libm::tanh(z + b)).collect();
            h.iter_mut().zip(w2.times(&inner)).for_each(|(h, f)| *h += f);
        }
        self.head.times(&h).collect()
    }
}
