//! Replays the fuzz corpus and every finding: hostile files are refused without a panic, sound ones are accepted.

#[path = "../../../fuzz/doors/mod.rs"]
mod doors;

use std::path::{Path, PathBuf};

fn files(kind: &str, door: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join(door);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn every_door_takes_what_is_sound_and_refuses_the_rest() {
    for (name, door) in doors::DOORS {
        let mut accepted = 0;
        let mut refused = 0;
        for file in files("corpus", name).into_iter().chain(files("regressions", name)) {
            // Named first: a panic would not say which file it was.
            println!("{name}: {}", file.display());
            if door(&std::fs::read(&file).expect("a file of the corpus")) {
                accepted += 1;
            } else {
                refused += 1;
            }
        }
        println!("{name}: {accepted} accepted, {refused} refused");
        assert!(accepted > 0 && refused > 0, "{name}: {accepted} accepted, {refused} refused");
    }
}
