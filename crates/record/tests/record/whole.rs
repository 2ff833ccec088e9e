//! Power fails while files are written whole: audits, manifests, figures' tables and all else that is.

use crate::power::history::record;
use crate::power::model::crashes;
use crate::power::scratch::folder;
use crate::power::site::Site;
use record::durable;
use std::path::Path;

/// The old content or the new, and the new one once that was said.
#[test]
fn a_whole_file_is_old_or_new() {
    let root = folder();
    let versions = [b"first".to_vec(), vec![b'x'; 20_000]];
    let (history, ()) = record(root.path(), None, |recorder| {
        for version in &versions {
            durable::create_folders(&root.path().join("a/b")).expect("created");
            durable::write(&root.path().join("a/b/audit.json"), version).expect("written");
            recorder.promise(version.clone());
        }
    });
    let judge = |without: Option<Site>| {
        let mut states = 0;
        for ops in 0..=history.ops.len() {
            let said = history.promised(ops).into_iter().next_back();
            for tree in crashes(&history.ops[..ops], &Site::leaves_out(without)) {
                states += 1;
                let found = tree.get(Path::new("a/b/audit.json")).cloned().flatten();
                let whole = found.as_ref().is_none_or(|found| versions.contains(found));
                let kept = match (said, found) {
                    (None, _) => true,
                    (Some(said), found) => found.is_some_and(|found| found == *said || found == versions[1]),
                };
                if !(whole && kept) {
                    return Err(ops);
                }
            }
        }
        Ok(states)
    };
    println!("{} changes, {} crashes", history.ops.len(), judge(None).expect("whole and kept"));
    for site in [Site::Content, Site::Name, Site::Folder] {
        assert!(judge(Some(site)).is_err(), "nobody needs {site:?}");
    }
}
