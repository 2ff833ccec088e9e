//! A user's own data: four arrays in an `.npz` file.
//!
//! `x_train` and `x_test` have one sample per row. Two dimensions are vectors; three are grey images (samples, height, width), four
//! are images (samples, channels, height, width). Floats are used as they are. Bytes are pixels, normalised like those of the
//! published sets: by mean and standard deviation of each channel over the training images. `y_train` and `y_test` are classes,
//! counted from 0.

mod file;
#[cfg(test)]
mod tests;

use crate::normalise::{Scale, moments};
use crate::{Dataset, Dimensions, Error, ImageShape, Split};
use arrays::Fault;
use file::{Open, Part};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How the name of such a file ends.
pub(crate) const ENDING: &str = ".npz";

/// A file of arrays, whose sizes are known.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnData {
    path: PathBuf,
    name: String,
    dimensions: Dimensions,
    image: Option<ImageShape>,
    is_bytes: bool,
}

impl OwnData {
    /// Reads labels and shapes of a file, and no samples.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let sizes = || {
            let mut file = Open::new(path)?;
            let [train, test] = file.parts()?;
            let classes =
                train.labels.iter().chain(&test.labels).max().map_or(0, |&top| usize::from(top) + 1);
            if classes < 2 {
                return Err(Fault::layout("all labels are 0", "give at least two classes, counted from 0"));
            }
            let image = image(&train)?;
            let dimensions = Dimensions {
                inputs: train.shape.lengths()[1..].iter().product(),
                classes,
                train: train.labels.len(),
                test: test.labels.len(),
            };
            let is_bytes = train.element.bytes == 1;
            let name = record::escape::path(Path::new(path.file_name().unwrap_or_default()));
            Ok(Self { path: path.to_owned(), name, dimensions, image, is_bytes })
        };
        sizes().map_err(|fault| of(path, fault))
    }

    /// The name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    pub(crate) fn image(&self) -> Option<ImageShape> {
        self.image
    }

    /// Whether its samples are images of bytes.
    pub(crate) fn is_pixels(&self) -> bool {
        self.is_bytes
    }

    /// Reads the samples.
    pub(crate) fn load(&self) -> Result<Dataset, Error> {
        let data = || {
            if Self::open(&self.path).ok().as_ref() != Some(self) {
                return Err(Fault::damaged("it has changed since the run was planned"));
            }
            let mut file = Open::new(&self.path)?;
            let [train, test] = file.parts()?;
            let [train, test] = match self.image.filter(|_| self.is_bytes) {
                Some(shape) => {
                    let [seen, unseen] = [file.values::<u8>(&train)?, file.values::<u8>(&test)?];
                    let scale = Scale::new(255.0, &channels(&seen, shape));
                    [
                        Split::images(seen, shape, scale.clone(), train.labels),
                        Split::images(unseen, shape, scale, test.labels),
                    ]
                }
                None => {
                    let mut split = |part: Part, name| {
                        let values = file.values::<f32>(&part)?;
                        finite(&values, part.labels.len(), name)?;
                        Ok::<_, Fault>(Split::numbers(
                            values,
                            self.dimensions.inputs,
                            self.image,
                            part.labels,
                        ))
                    };
                    [split(train, "x_train")?, split(test, "x_test")?]
                }
            };
            Ok(Dataset::new(&self.name, self.dimensions.classes, train, test))
        };
        data().map_err(|fault| of(&self.path, fault))
    }
}

fn of(path: &Path, fault: Fault) -> Error {
    let fault = match fault {
        Fault::Io(error) if error.kind() == ErrorKind::NotFound => Fault::layout(
            format!("cannot be read: {error}"),
            "give the path as it is from the folder in which you are, or a whole one",
        ),
        other => other,
    };
    Error::Own { path: path.to_path_buf(), fault }
}

/// The shape of the images, if they are images.
fn image(part: &Part) -> Result<Option<ImageShape>, Fault> {
    match part.shape.lengths() {
        [_, height, width] => Ok(Some(ImageShape { channels: 1, height: *height, width: *width })),
        [_, channels, _, 1 | 3] if !matches!(channels, 1 | 3) => Err(Fault::tensor(
            "x_train",
            format!("its shape is {}: the channels seem to come last", part.shape.words()),
            "save x.transpose(0, 3, 1, 2)",
        )),
        [_, channels, height, width] => {
            Ok(Some(ImageShape { channels: *channels, height: *height, width: *width }))
        }
        _ => Ok(None),
    }
}

/// Mean and standard deviation of each channel.
fn channels(pixels: &[u8], shape: ImageShape) -> Vec<(f32, f32)> {
    let plane = shape.height * shape.width;
    let of = |channel: usize| {
        let planes = pixels.chunks_exact(shape.len()).flat_map(|image| &image[channel * plane..][..plane]);
        let (mean, std) = moments(planes.copied(), 255.0);
        // A channel of one value is nothing but its mean.
        (mean, if std > 0.0 { std } else { 1.0 })
    };
    (0..shape.channels).map(of).collect()
}

fn finite(values: &[f32], samples: usize, name: &str) -> Result<(), Fault> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let sample = at / (values.len() / samples);
            let what = format!("sample {sample} contains {}", values[at]);
            Err(Fault::tensor(name, what, "replace or leave out such samples"))
        }
    }
}
