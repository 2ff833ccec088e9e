//! Means over seeds, pictures and names in the folder of TensorBoard.

use crate::made::{epoch, run, undefined};
use export::event::{EventFile, Read};
use export::named;
use export::tensorboard::{Png, write, write_pictures};
use record::Run;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILE: &str = "events.out.tfevents.1.creditscope";

fn scalars(folder: &Path) -> BTreeMap<(String, u64), f32> {
    let file = EventFile::read(&fs::read(folder.join(FILE)).expect("the file"));
    let values = file
        .events
        .into_iter()
        .flat_map(|event| event.values.into_iter().map(move |(tag, read)| ((tag, event.step), read)));
    values.filter_map(|(key, read)| if let Read::Scalar(x) = read { Some((key, x)) } else { None }).collect()
}

fn seed(seed: u64, cosines: &[serde_json::Value]) -> Run {
    let accuracy = 0.25 * seed as f64;
    let epochs = cosines.iter().enumerate().map(|(n, cosine)| epoch(n as u64, accuracy, cosine));
    run(&format!("dfa-s{seed}"), seed, "", epochs.collect())
}

#[test]
fn means_are_over_all_seeds_or_not_written() {
    let out = tempfile::tempdir().expect("a folder");
    let runs = [
        seed(1, &[json!(0.5), json!(0.5), json!(0.5)]),
        seed(2, &[json!(0.25), undefined(), json!(0.5)]),
        seed(3, &[json!(0.75), json!(0.5)]),
    ];
    assert_eq!(write(&named(&runs), out.path()).expect("written"), ["dfa"]);
    let mean = scalars(&out.path().join("mean/dfa"));
    let at = |tag: &str, step: u64| mean.get(&(tag.to_owned(), step)).copied();
    // .25, .5, .75: mean .5, deviation (n−1) .25.
    assert_eq!(at("test/accuracy", 0), Some(0.5));
    assert_eq!(at("minus_sd/test/accuracy", 0), Some(0.25));
    assert_eq!(at("plus_sd/test/accuracy", 1), Some(0.75));
    assert_eq!((at("cosine/block_0", 0), at("plus_sd/cosine/block_0", 0)), (Some(0.5), Some(0.75)));
    assert_eq!((at("cosine/block_0", 1), at("believable/cosine/block_0", 1)), (None, Some(0.0)));
    assert_eq!(at("believable/cosine/block_0", 0), Some(1.0));
    assert_eq!(at("test/accuracy", 2), None, "one seed has no such epoch");
}

#[test]
fn one_seed_has_no_mean_and_one_seed_twice_has_none_either() {
    let out = tempfile::tempdir().expect("a folder");
    let twin = Run { path: "made/copy".into(), ..seed(1, &[json!(0.5)]) };
    for runs in [vec![seed(1, &[json!(0.5)])], vec![seed(1, &[json!(0.5)]), twin]] {
        assert!(write(&named(&runs), out.path()).expect("written").is_empty());
    }
    assert!(!out.path().join("mean").exists());
}

#[test]
fn pictures_keep_their_bytes_and_say_their_size() {
    let out = tempfile::tempdir().expect("a folder");
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend([0, 0, 1, 4, 0, 0, 0, 7, 8, 6, 0, 0, 0]);
    let runs = [seed(1, &[json!(0.5)])];
    let picture = Png::new("series", png.clone()).expect("a picture");
    assert!(Png::new("series", b"<svg/>".to_vec()).is_none());
    write_pictures(&[picture], &named(&runs), out.path()).expect("written");
    let file = EventFile::read(&fs::read(out.path().join("figures").join(FILE)).expect("the file"));
    let values: Vec<_> = file.events.iter().flat_map(|event| &event.values).collect();
    assert_eq!(values, [&("figures/series".to_owned(), Read::Image([260, 7], png))]);
}
