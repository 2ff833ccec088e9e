//! Folders of several files: runs and sweeps.

use super::{FOLDER, accepted, file};

/// Between the files of a folder in one input.
const NEXT_FILE: &[u8] = b"\n--8<--\n";

/// Writes the files of a folder; those that the input does not reach are empty.
fn folder(names: &[&str], bytes: &[u8]) {
    let mut rest = bytes;
    for name in names {
        let end = rest.windows(NEXT_FILE.len()).position(|window| window == NEXT_FILE);
        file(name, &rest[..end.unwrap_or(rest.len())]);
        rest = end.map_or(&[], |end| &rest[end + NEXT_FILE.len()..]);
    }
}

pub(crate) fn run_record(bytes: &[u8]) -> bool {
    folder(&["run/run.json", "run/recipe.toml", "run/metrics.jsonl", "run/audit.json"], bytes);
    let run = record::Run::read(&FOLDER.path().join("run"));
    if let Ok(run) = &run {
        let _ = lab::Identity::of_record(&run.recipe);
        run.epochs.iter().for_each(|epoch| {
            let _ = protocol::Moment::of(epoch);
        });
        accepted(&protocol::kept_audit(run), "audit.json");
    }
    accepted(&run, "run")
}

/// A sweep of the run `dfa-s1`, handed out once and tried once.
pub(crate) fn sweep(bytes: &[u8]) -> bool {
    const NAMES: [&str; 6] = [
        "sweep/manifest.json",
        "sweep/submissions/1.json",
        "sweep/shards/1.txt",
        "sweep/attempts/dfa-s1/a.start.json",
        "sweep/attempts/dfa-s1/a.beat.json",
        "sweep/attempts/dfa-s1/a.end.json",
    ];
    folder(&NAMES, bytes);
    let sweep = sweep::Folder::at(FOLDER.path()).expect("a folder");
    let manifest = sweep::Manifest::read(&sweep);
    let submissions = sweep::Submission::all(&sweep);
    accepted(&submissions, "submissions");
    if let (Ok(manifest), Ok(submissions)) = (&manifest, &submissions) {
        let _ = manifest.source.recipe();
        // Slurm is no part of the door.
        if submissions.iter().all(|submission| submission.kind != sweep::Kind::Slurm) {
            let _ = sweep::survey(&sweep, manifest, &sweep::Slurm::default());
        }
    }
    accepted(&manifest, "manifest.json")
}
