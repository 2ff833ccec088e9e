//! The four arrays in a user's file, checked against each other.

use arrays::{
    Archive, Budget, Element, Fault, Npz, Number, NumberKind, TensorShape, limit_of_file, usual_limit,
};
use std::path::Path;

const HOW_TO_SAVE: &str = "save it with numpy.savez(\"data.npz\", x_train=…, y_train=…, x_test=…, y_test=…)";

/// Samples to train or to test on, before their values are read.
pub(super) struct Part {
    /// Place of the samples in the file.
    x: usize,
    pub(super) element: Element,
    pub(super) shape: TensorShape,
    pub(super) labels: Vec<u8>,
}

/// An open file, and the memory that its values may take.
pub(super) struct Open {
    npz: Npz,
    budget: Budget,
}

impl Open {
    pub(super) fn new(path: &Path) -> Result<Self, Fault> {
        let file = record::bounded::open(path).map_err(Fault::Io)?;
        let length = file.metadata().map_err(Fault::Io)?.len();
        let budget = Budget::new(usual_limit().min(limit_of_file(length)));
        Ok(Self { npz: Npz::open(Box::new(file), HOW_TO_SAVE)?, budget })
    }

    pub(super) fn parts(&mut self) -> Result<[Part; 2], Fault> {
        let train = self.part("x_train", "y_train")?;
        let test = self.part("x_test", "y_test")?;
        let [of_train, of_test] = [&train, &test].map(|part| &part.shape.lengths()[1..]);
        if of_train != of_test || train.element != test.element {
            return Err(Fault::layout(
                "the samples of x_train and x_test have different shapes or types",
                "save both in one form",
            ));
        }
        Ok([train, test])
    }

    fn part(&mut self, x: &str, y: &str) -> Result<Part, Fault> {
        let [x_at, y_at] = [self.find(x)?, self.find(y)?];
        let (element, shape) = self.npz.about(x_at)?;
        let pixels = element.kind == NumberKind::Unsigned && element.bytes == 1;
        if !(2..=4).contains(&shape.lengths().len()) || shape.count() == 0 {
            return Err(Fault::tensor(
                x,
                format!("its shape is {}", shape.words()),
                "give (samples, features), (samples, height, width) or (samples, channels, height, width)",
            ));
        }
        if element.kind != NumberKind::Float && !(pixels && shape.lengths().len() > 2) {
            return Err(Fault::tensor(
                x,
                "it holds neither floats nor images of bytes",
                "save numbers as float32, which are used as they are, or images as uint8, which are normalised here",
            ));
        }
        let labels = self.labels(y, y_at)?;
        if labels.len() != shape.lengths()[0] {
            let counts =
                format!("it has {} samples, and {y} has {} labels", shape.lengths()[0], labels.len());
            return Err(Fault::tensor(x, counts, "give one label per sample"));
        }
        Ok(Part { x: x_at, element, shape, labels })
    }

    fn find(&self, name: &str) -> Result<usize, Fault> {
        let names = self.npz.names();
        names.iter().position(|known| known == name).ok_or_else(|| {
            let found = names.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", ");
            Fault::layout(format!("`{name}` is missing among its arrays ({found})"), HOW_TO_SAVE)
        })
    }

    fn labels(&mut self, name: &str, at: usize) -> Result<Vec<u8>, Fault> {
        let labels = self.npz.read::<f64>(at, &mut self.budget)?;
        if labels.shape.lengths().len() != 1 || !labels.element.is_integer() {
            return Err(Fault::tensor(
                name,
                format!("its shape is {}; labels are one whole number per sample", labels.shape.words()),
                "save classes as int64, not one-hot rows (argmax over them gives the classes)",
            ));
        }
        match labels.values.iter().position(|label| !(0.0..256.0).contains(label)) {
            None => Ok(labels.values.iter().map(|&label| u8::nearest(label)).collect()),
            Some(at) => Err(Fault::tensor(
                name,
                format!("sample {at} has label {}", labels.values[at]),
                "count classes from 0; at most 256 are supported",
            )),
        }
    }

    pub(super) fn values<N: Number>(&mut self, part: &Part) -> Result<Vec<N>, Fault> {
        Ok(self.npz.read(part.x, &mut self.budget)?.values)
    }
}
