//! Event files: written while runs train, and exported.

use crate::made::{SMALL, export, shown, train, train_with};
use ::export::event::{EventFile, Read};
use std::path::Path;

const FILE: &str = "events.out.tfevents.1.creditscope";

fn bytes(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join(FILE)).unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
}

/// The steps of a series.
fn steps(folder: &Path, tag: &str) -> Vec<u64> {
    let events = EventFile::read(&bytes(folder)).events;
    let of_tag = |event: &&::export::event::Event| event.values.iter().any(|(name, _)| name == tag);
    events.iter().filter(of_tag).map(|event| event.step).collect()
}

#[test]
fn a_run_writes_while_it_trains_what_an_export_writes_after() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [runs, live, after] = ["runs", "live", "after"].map(|name| folder.path().join(name));
    let tensorboard = ["--tensorboard", &shown(&live)];
    assert_eq!(train_with(&runs, &format!("{SMALL}train.stop_after = 1\n"), &tensorboard), 0);
    assert_eq!(steps(&live.join("dfa-s1"), "test/accuracy"), [0, 1]);
    // Continued: no step twice, and nothing is left of the end of the first sitting.
    assert_eq!(train_with(&runs, SMALL, &[&tensorboard[..], &["--resume"]].concat()), 0);
    assert_eq!(steps(&live.join("dfa-s1"), "test/accuracy"), [0, 1, 2]);
    assert_eq!(steps(&live.join("dfa-s1"), "_hparams_/session_end_info").len(), 1);

    assert_eq!(export(&["tensorboard", &shown(&runs), "--out", &shown(&after), "--no-figures"]).0, 0);
    for id in ["bp-s1", "bp-s2", "dfa-s1", "dfa-s2", "."] {
        assert!(bytes(&live.join(id)) == bytes(&after.join(id)), "{id}");
    }
    for tag in ["test/accuracy", "minus_sd/cosine/embed", "plus_sd/hidden/block_1"] {
        assert_eq!(steps(&after.join("mean/dfa"), tag), [0, 1, 2], "{tag}");
    }
    // Runs that are finished are written too, though nothing is trained.
    let later = folder.path().join("later");
    assert_eq!(train_with(&runs, SMALL, &["--resume", "--tensorboard", &shown(&later)]), 0);
    assert!(bytes(&later.join("bp-s2")) == bytes(&after.join("bp-s2")));
}

#[test]
fn figures_are_images_and_files_of_others_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [runs, out] = ["runs", "tb"].map(|name| folder.path().join(name));
    train(&runs, SMALL);
    let (code, said, err) = export(&["tensorboard", &shown(&runs), "--out", &shown(&out)]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(said.contains("4 runs, 2 means over seeds") && said.contains("tensorboard --logdir"), "{said}");
    let figures = EventFile::read(&bytes(&out.join("figures"))).events;
    let values: Vec<_> = figures.iter().flat_map(|event| &event.values).collect();
    assert!(!values.is_empty());
    for (tag, read) in values {
        let Read::Image([width, height], png) = read else { panic!("{tag}: {read:?}") };
        assert!(tag.starts_with("figures/") && *width > 100 && *height > 100 && png.starts_with(b"\x89PNG"));
    }

    std::fs::write(out.join("bp-s1").join(FILE), "somebody's").expect("written");
    let (code, _, err) = export(&["tensorboard", &shown(&runs), "--out", &shown(&out), "--no-figures"]);
    assert_eq!(code, 2);
    assert!(err.contains("not written by this program") && err.contains("bp-s1"), "{err}");
    // A listener that fails stops its own run and no other.
    let again = folder.path().join("again");
    assert_eq!(train_with(&again, SMALL, &["--tensorboard", &shown(&out)]), 2);
    let epochs = |id: &str| record::Run::read(&again.join(id)).map_or(0, |run| run.epochs.len());
    assert_eq!((epochs("bp-s1"), epochs("bp-s2"), epochs("dfa-s1")), (0, 3, 3));
}
