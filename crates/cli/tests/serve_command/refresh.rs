//! `report --refresh`: the page again and again, without a server.

use crate::common::{program, text};
use crate::{Runs, send_signal};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn refresh(runs: &Path, out: &Path) -> Child {
    let mut command = program();
    command.arg("report").arg(runs).args(["--refresh", "1", "-o"]).arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn says(page: &Path, words: &str) {
    let begun = Instant::now();
    while !std::fs::read_to_string(page).is_ok_and(|html| html.contains(words)) {
        let html = std::fs::read_to_string(page).unwrap_or_default();
        assert!(begun.elapsed() < Duration::from_secs(20), "no `{words}` in {html}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn it_follows_and_outlives_what_it_cannot_read() {
    let runs = Runs::new();
    let ahead = runs.rewind("dfa-s1", 2);
    let page = runs.folder.path().join("page.html");
    let child = refresh(&runs.path(), &page);
    says(&page, "<meta http-equiv=\"refresh\" content=\"1\">");
    says(&page, "2 runs: 1 done, 1 running");
    runs.append("dfa-s1", &ahead[0]);
    says(&page, ">2 of 3<");
    // A line that is half written is none; a record that is, is noted.
    runs.append("dfa-s1", "{\"sche");
    let record = runs.path().join("dfa-s1/run.json");
    let whole = std::fs::read(&record).expect("a record");
    std::fs::write(&record, &whole[..whole.len() / 2]).expect("written");
    says(&page, "1 unreadable");
    says(&page, "Not read: ");
    std::fs::write(&record, whole).expect("written");
    says(&page, "2 runs: 1 done, 1 running");
    std::fs::remove_dir_all(runs.path()).expect("removed");
    says(&page, "cannot read");
    send_signal("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let left: Vec<_> = std::fs::read_dir(runs.folder.path()).expect("a folder").flatten().collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().contains("partial")), "{left:?}");
}

#[test]
fn it_waits_for_the_first_run_and_refuses_a_folder_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let waiting = folder.path().join("runs");
    let output = refresh(&waiting, &page).wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("does not exist"), "{}", text(&output.stderr));
    std::fs::create_dir(&waiting).expect("a folder");
    let child = refresh(&waiting, &page);
    says(&page, "this page waits for the first");
    let runs = Runs::new();
    std::fs::rename(runs.path().join("bp-s1"), waiting.join("bp-s1")).expect("moved");
    says(&page, "1 run: 1 done.");
    send_signal("TERM", &child);
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(0));
}
