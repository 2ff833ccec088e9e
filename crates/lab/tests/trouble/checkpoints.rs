//! Checkpoints that are damaged or of another run.

use super::{folder, refusal, resuming, unfinish};
use crate::common::{SMALL, go, train};
use std::path::Path;

#[test]
fn a_damaged_checkpoint_is_noticed_wherever_the_damage_is() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    let path = run.join("checkpoint.safetensors");
    let good = std::fs::read(&path).expect("a checkpoint");
    // The position is text in the head: a damaged digit there would send the run elsewhere.
    let place = good.windows(9).position(|w| w == b"\\\"epoch\\\"").expect("the epoch in the head") + 10;
    assert_eq!(good[place], b'3');
    let damage: [(&str, Vec<u8>); 6] = [
        (
            "a changed digit in the head",
            good.iter().enumerate().map(|(i, &b)| if i == place { b'2' } else { b }).collect(),
        ),
        ("empty", Vec::new()),
        ("cut in the header", good[..20].to_vec()),
        ("cut in the tensors", good[..good.len() - 1].to_vec()),
        (
            "a flipped bit",
            good.iter().enumerate().map(|(i, &b)| if i == good.len() - 99 { b ^ 1 } else { b }).collect(),
        ),
        ("not a checkpoint", b"hello world, this is text".to_vec()),
    ];
    for (what, bytes) in damage {
        unfinish_if_finished(&run);
        std::fs::write(&path, &bytes).expect("write");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("checkpoint.safetensors cannot be used"), "{what}: {message}");
        assert!(message.contains("Remove the file"), "{what}: {message}");
        assert_eq!(std::fs::read(&path).expect("still there"), bytes, "{what}: left as it was");
    }
    // The remedy that the message names works: without the file, the run starts over and ends the same.
    std::fs::remove_file(&path).expect("remove");
    go(SMALL, &resuming(out.path())).expect("nothing is refused");
    let tensors = |bytes: &[u8]| bytes[bytes.len() - 4 * 1000..].to_vec();
    assert_eq!(tensors(&std::fs::read(&path).expect("a checkpoint")), tensors(&good));
}

fn unfinish_if_finished(run: &Path) {
    if std::fs::read_to_string(run.join("run.json")).expect("a record").contains("\"finished\"") {
        unfinish(run);
    }
}

/// Another run's file is not damaged, whatever its network and rule; one that is both is.
#[test]
fn a_checkpoint_of_another_run_is_called_that() {
    let out = folder();
    train(SMALL, out.path());
    let run = out.path().join("bp-s42");
    unfinish(&run);
    let path = run.join("checkpoint.safetensors");
    for other in [
        SMALL.replace("d = 20", "d = 24"),
        SMALL.replace("blocks = 3", "blocks = 2"),
        format!("{SMALL}rule.name = 'dfa'"),
        format!("{SMALL}seed = 7"),
    ] {
        let elsewhere = folder();
        let theirs = train(&other, elsewhere.path()).remove(0).path.join("checkpoint.safetensors");
        let mut bytes = std::fs::read(theirs).expect("a checkpoint");
        std::fs::write(&path, &bytes).expect("written");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("it is the checkpoint of another run"), "{other}: {message}");
        let end = bytes.len() - 1;
        bytes[end] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        let message = refusal(SMALL, &resuming(out.path()));
        assert!(message.contains("it is damaged"), "{other}: {message}");
    }
}
