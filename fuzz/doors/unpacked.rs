//! The data of a page as its script unpacks them, against the words and numbers that they were made from.

use super::page::{LAYERS, measured};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use record::Measured;
use serde_json::{Value, json};
use std::io::Read;

/// What the script unpacks is what went in.
pub(super) fn check(data: &str, words: &[String], numbers: &[f64]) {
    let word = |at: usize| words[at % words.len()].as_str();
    let unpacked: Vec<Value> = data.split('\n').map(unpack).collect();
    let [about, course, none] = &unpacked[..] else { panic!("a line of all runs, and one of each") };
    for (at, run) in about["runs"].as_array().expect("runs").iter().enumerate() {
        let found = ["id", "rule"].map(|name| run[name].as_str());
        assert_eq!(found, [word(2 * at), word(2 * at + 1)].map(Some));
        assert_eq!(run["keys"][word(7)], word(8 + at));
        let key = if word(0) == word(2) { word(5 + at) } else { word(2 * at) };
        assert_eq!(run["key"], key, "runs of one name go by their directories");
    }
    // The later of two rules of one name has it.
    assert_eq!(about["rules"][word(3)], json!({"title": word(22), "colour": word(23)}));
    let epochs: Vec<&[f64]> = numbers.chunks_exact(2 + LAYERS).collect();
    assert_eq!(course["steps"], json!((0..epochs.len()).map(|at| at.min(1)).collect::<Vec<_>>()));
    assert_eq!(none["steps"], json!([]));
    for (name, at) in [("test_loss", 0), ("test_accuracy", 1)] {
        let place =
            about["scalars"].as_array().and_then(|names| names.iter().position(|known| known == name));
        let pairs = course["scalars"].as_array().expect("pairs of a place and its values");
        match pairs.iter().find(|pair| pair[0].as_u64() == place.map(|place| place as u64)) {
            Some(pair) => {
                let read = pair[1].as_array().expect("values");
                assert!(read.len() == epochs.len(), "{name}: {read:?}");
                assert!(
                    read.iter().zip(&epochs).all(|(read, epoch)| is_number(read, epoch[at])),
                    "{name}: {read:?}"
                );
            }
            None => assert!(epochs.iter().all(|epoch| epoch[at].is_nan()), "{name} is missing"),
        }
    }
    assert_eq!(none["layers"], json!([]));
    assert_eq!(about["names"], if epochs.is_empty() { json!([]) } else { json!([word(39)]) });
    assert_eq!(about["series"].get(word(39)).is_some(), !epochs.is_empty());
    let layered = &course["layers"][0][1];
    for (layer, at) in (0..LAYERS).flat_map(|layer| (0..epochs.len()).map(move |at| (layer, at))) {
        let read = &layered["values"][layer][at];
        let doubt =
            layered["doubt"][layer].as_str().map_or('.', |letters| char::from(letters.as_bytes()[at]));
        let (letter, is_right) = match measured(epochs[at][2 + layer]) {
            Measured::Defined { value } => ('.', is_number(read, value)),
            Measured::Unreliable { value, .. } => ('u', is_number(read, value)),
            Measured::Undefined { .. } => ('x', read.is_null()),
        };
        assert!(is_right && letter == doubt, "layer {layer}, epoch {at}: {read} {doubt}");
    }
}

fn unpack(line: &str) -> Value {
    let bytes = STANDARD.decode(line).expect("base64");
    let mut text = String::new();
    DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).expect("a deflated text");
    serde_json::from_str(&text).expect("a JSON document")
}

/// Whether a number is another one to three digits; JSON has words for those that are none.
fn is_number(read: &Value, x: f64) -> bool {
    match read.as_f64() {
        // Numbers next to zero have fewer digits.
        Some(y) => (y - x).abs() <= 0.005_000_001 * x.abs() + 5e-324,
        None if x.is_nan() => read == "nan",
        None => x.is_infinite() && read == if x > 0.0 { "inf" } else { "-inf" },
    }
}
