mod savez;

use super::OwnData;
use crate::{DataSpec, Dimensions, Folder, ImageShape, View, load};
use savez::{Saved, floats, labels, pixels};
use std::path::PathBuf;

/// Four vectors of two features to train on, two to test on.
fn vectors() -> [Saved; 4] {
    [
        floats("x_train", "(4, 2)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
        labels("y_train", "(4,)", &[0, 1, 2, 1]),
        floats("x_test", "(2, 2)", &[8.0, 9.0, -1.0, -2.0]),
        labels("y_test", "(2,)", &[2, 0]),
    ]
}

fn savez(arrays: &[Saved]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.npz");
    savez::savez(&path, arrays);
    (folder, path)
}

fn refusal(arrays: &[Saved]) -> String {
    let (_folder, path) = savez(arrays);
    let nowhere = Folder::at("/nonexistent");
    let loaded = DataSpec::of(path.to_str().unwrap()).and_then(|source| load(&source, &nowhere));
    loaded.unwrap_err().to_string()
}

#[test]
fn numbers_are_used_as_they_are() {
    let (_folder, path) = savez(&vectors());
    let source = DataSpec::of(path.to_str().unwrap()).unwrap();
    assert_eq!(source.name(), "mine.npz");
    assert_eq!(source.dimensions(), Dimensions { inputs: 2, classes: 3, train: 4, test: 2 });
    assert!(source.image().is_none() && !source.can_augment());
    let data = load(&source, &Folder::at("/nonexistent")).unwrap();
    let mut row = [0.0; 2];
    data.test.write(1, View::Plain, &mut row);
    assert_eq!((row, data.test.label(1), data.train.labels()), ([-1.0, -2.0], 0, &[0, 1, 2, 1][..]));
}

/// Bytes are normalised by mean and deviation of each channel over the training images: here 0 and 255 in equal parts, so −1 and 1.
#[test]
fn bytes_are_normalised_by_the_training_images() {
    let (_folder, path) = savez(&[
        pixels("x_train", "(2, 2, 1, 2)", &[0, 255, 10, 10, 255, 0, 10, 10]),
        labels("y_train", "(2,)", &[0, 1]),
        pixels("x_test", "(1, 2, 1, 2)", &[255, 0, 10, 10]),
        labels("y_test", "(1,)", &[1]),
    ]);
    let source = DataSpec::of(path.to_str().unwrap()).unwrap();
    assert_eq!(source.image(), Some(ImageShape { channels: 2, height: 1, width: 2 }));
    assert!(source.can_augment());
    let data = load(&source, &Folder::at("/nonexistent")).unwrap();
    let mut row = [0.0; 4];
    data.test.write(0, View::Plain, &mut row);
    // The second channel has one value everywhere: its deviation of 0 divides nothing.
    assert_eq!(row, [1.0, -1.0, 0.0, 0.0]);
}

#[test]
fn numbers_in_the_shape_of_images_are_images() {
    let (_folder, path) = savez(&[
        floats("x_train", "(2, 1, 2)", &[0.0, 1.0, 2.0, 3.0]),
        labels("y_train", "(2,)", &[0, 1]),
        floats("x_test", "(1, 1, 2)", &[4.0, 5.0]),
        labels("y_test", "(1,)", &[0]),
    ]);
    let source = DataSpec::of(path.to_str().unwrap()).unwrap();
    assert_eq!(source.image(), Some(ImageShape { channels: 1, height: 1, width: 2 }));
    assert!(!source.can_augment(), "only images of bytes have a black to pad with");
}

#[test]
fn what_cannot_be_used_is_refused_with_the_array_and_what_to_do() {
    let with = |at: usize, array: Saved| {
        let mut arrays = vectors();
        arrays[at] = array;
        refusal(&arrays)
    };
    let [x, y, ..] = vectors();
    for (words, message) in [
        (["`x_test` is missing", "numpy.savez"], refusal(&[x, y])),
        (["y_train", "one-hot"], with(1, labels("y_train", "(4, 1)", &[0, 1, 2, 1]))),
        (["y_train", "sample 2 has label -1"], with(1, labels("y_train", "(4,)", &[0, 1, -1, 1]))),
        (["y_train", "at most 256"], with(1, labels("y_train", "(4,)", &[0, 1, 256, 1]))),
        (["x_train", "4 samples, and y_train has 3 labels"], with(1, labels("y_train", "(3,)", &[0, 1, 2]))),
        (["x_train", "float32"], with(0, labels("x_train", "(4, 2)", &[0; 8]))),
        (["x_train", "uint8"], with(0, pixels("x_train", "(4, 2)", &[0; 8]))),
        (["x_train and x_test", "different shapes"], with(2, floats("x_test", "(2, 3)", &[0.0; 6]))),
        (["x_train", "(samples, features)"], with(0, floats("x_train", "(8,)", &[0.0; 8]))),
        (
            ["x_test", "sample 1 contains NaN"],
            with(2, floats("x_test", "(2, 2)", &[0.0, 0.0, f32::NAN, 0.0])),
        ),
    ] {
        for word in words {
            assert!(message.contains(word) && message.contains("mine.npz"), "{word}: {message}");
        }
    }
    let last = [
        pixels("x_train", "(2, 8, 8, 3)", &[0; 384]),
        labels("y_train", "(2,)", &[0, 1]),
        pixels("x_test", "(2, 8, 8, 3)", &[0; 384]),
        labels("y_test", "(2,)", &[0, 1]),
    ];
    assert!(refusal(&last).contains("transpose(0, 3, 1, 2)"));
}

#[test]
fn a_file_that_changes_after_planning_is_refused() {
    let (_folder, path) = savez(&vectors());
    let planned = OwnData::open(&path).unwrap();
    let mut more = vectors();
    more[1] = labels("y_train", "(4,)", &[0, 1, 3, 1]);
    let (_other, changed) = savez(&more);
    std::fs::copy(changed, &path).unwrap();
    assert!(planned.load().unwrap_err().to_string().contains("changed"));
    std::fs::remove_file(&path).unwrap();
    assert!(OwnData::open(&path).unwrap_err().to_string().contains("cannot be read"));
}
