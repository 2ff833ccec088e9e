//! Downloads: whole, resumed, refused, broken, stalled, wrong.

use std::time::{Duration, Instant};

use super::server::{Manner, Server};
use super::*;
use crate::Remedy;
use crate::load::load_entry;

#[test]
fn a_download_is_checked_unpacked_and_loadable_and_a_second_one_is_not_made() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&tiny.archive, &[Manner::Redirects, Manner::Good]);
    let (result, events) = fetch(&tiny, dir.path(), None, Some(&server.url));
    let fetched = result.unwrap();
    assert_eq!((fetched.already, fetched.folder), (false, dir.path().join("tiny")));
    assert_eq!(events, ["started at 0", "verifying", "installing"]);
    // Neither the download nor the staging folder is left behind.
    assert_eq!(names(dir.path()), ["tiny"]);
    assert_eq!(names(&dir.path().join("tiny")), ["test.bin", "train.bin"]);
    let data = load_entry(tiny.entry, &Folder::at(dir.path())).unwrap();
    assert_eq!((data.train.len(), data.test.len()), (200, 100));
    let (again, _) = fetch(&tiny, dir.path(), None, Some("http://127.0.0.1:1/"));
    assert!(again.unwrap().already);
}

#[test]
fn a_cut_connection_is_resumed_where_it_ended() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&tiny.archive, &[Manner::CutsAfter(1000), Manner::Good]);
    let (result, events) = fetch(&tiny, dir.path(), None, Some(&server.url));
    result.unwrap();
    assert_eq!(events, ["started at 0", "retrying", "started at 1000", "verifying", "installing"]);
    assert_eq!(server.ranges(), [None, Some(1000)]);
}

#[test]
fn a_connection_that_is_cut_again_leaves_its_part_for_the_next_command() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server =
        Server::start(&tiny.archive, &[Manner::CutsAfter(700), Manner::CutsAfter(300), Manner::Good]);
    let error = fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::Cut { got: 1000, .. }), "{message}");
    assert!(message.contains("fetching again resumes") && message.contains(&server.url), "{message}");
    assert_eq!(names(dir.path()), ["tiny.tar.gz.part"]);
    fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap();
    assert_eq!(server.ranges(), [None, Some(700), Some(1000)]);
}

/// A folder in which an earlier attempt left the first 1,000 bytes.
fn with_part(tiny: &Tiny) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("tiny.tar.gz.part"), &tiny.archive[..1000]);
    dir
}

#[test]
fn servers_that_do_not_resume_are_asked_for_the_whole_file_and_forwarding_ones_for_the_rest() {
    let tiny = tiny(&members());
    for (manners, ranges) in [
        (&[Manner::IgnoresRanges][..], &[Some(1000)][..]),
        (&[Manner::NotSatisfiable, Manner::Good], &[Some(1000), None]),
        // Forwarded, the request still asks for the rest only.
        (&[Manner::Redirects, Manner::Good], &[Some(1000), Some(1000)]),
    ] {
        let dir = with_part(&tiny);
        let server = Server::start(&tiny.archive, manners);
        fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap();
        assert_eq!(server.ranges(), ranges);
    }
    let dir = with_part(&tiny);
    let server = Server::start(&tiny.archive, &[Manner::OtherRange, Manner::OtherRange]);
    let message = fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap_err().to_string();
    assert!(message.contains("a different range than requested"), "{message}");
}

#[test]
fn a_part_that_is_already_whole_needs_no_request() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("tiny.tar.gz.part"), &tiny.archive);
    fetch(&tiny, dir.path(), None, Some("http://127.0.0.1:1/")).0.unwrap();
}

#[test]
fn a_file_with_another_hash_is_removed_so_that_the_next_try_starts_clean() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let mut wrong = tiny.archive.clone();
    wrong[500] ^= 1;
    let server = Server::start(&wrong, &[Manner::Good]);
    let message = fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap_err().to_string();
    assert!(message.contains(md5(&wrong)) && message.contains(tiny.entry.packages[0].md5), "{message}");
    assert_eq!(names(dir.path()), [""; 0]);
    // Resuming a part of another file is detected in the same way.
    write(&dir.path().join("tiny.tar.gz.part"), &wrong[..1000]);
    let server = Server::start(&tiny.archive, &[Manner::Good, Manner::Good]);
    assert!(matches!(fetch(&tiny, dir.path(), None, Some(&server.url)).0, Err(Error::Hash { .. })));
    fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap();
}

#[test]
fn an_endless_file_is_stopped_at_its_published_length() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let endless = vec![7; 3_000_000];
    let server = Server::start(&endless, &[Manner::Good]);
    assert!(matches!(fetch(&tiny, dir.path(), None, Some(&server.url)).0, Err(Error::Hash { .. })));
}

#[test]
fn a_missing_file_is_reported_with_its_address_and_leaves_nothing() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&tiny.archive, &[Manner::Status(404)]);
    let error = fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap_err();
    assert_eq!(error.to_string(), format!("{}tiny.tar.gz: the server answered 404", server.url));
    assert!(matches!(error.remedy(), Some(Remedy::Import { .. })));
    assert_eq!(names(dir.path()), [""; 0]);
}

#[test]
fn another_address_is_tried_when_the_first_one_fails() {
    let mut tiny = tiny(&members());
    let bad = Server::start(&tiny.archive, &[Manner::Status(503)]);
    let good = Server::start(&tiny.archive, &[Manner::Good]);
    let leak = |url: &str| -> &'static str { Box::leak(url.to_owned().into_boxed_str()) };
    let unreachable = "http://127.0.0.1:1/";
    let mirrors = vec![unreachable, leak(&bad.url), leak(&good.url)].leak();
    tiny.entry = Box::leak(Box::new(CatalogueEntry {
        mirrors,
        layouts: tiny.entry.layouts,
        packages: tiny.entry.packages,
        train: 200,
        test: 100,
        ..CIFAR10
    }));
    let dir = tempfile::tempdir().unwrap();
    let (result, events) = fetch(&tiny, dir.path(), None, None);
    result.unwrap();
    assert_eq!(events.iter().filter(|event| *event == "retrying").count(), 2);
}

#[test]
fn silence_ends_the_download_and_keeps_what_came() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&tiny.archive, &[Manner::StallsAfter(1200), Manner::Good]);
    let started = Instant::now();
    let error = fetch(&tiny, dir.path(), None, Some(&server.url)).0.unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::Stalled { got: 1200, seconds: 1, .. }), "{message}");
    assert!(message.contains("fetching again resumes"), "{message}");
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(std::fs::metadata(dir.path().join("tiny.tar.gz.part")).unwrap().len(), 1200);
}

#[test]
fn stopping_is_heard_while_the_server_is_silent() {
    let tiny = tiny(&members());
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(&tiny.archive, &[Manner::StallsAfter(10)]);
    let started = Instant::now();
    let options = FetchOptions {
        from: None,
        base_url: Some(server.url.clone()),
        stall: Duration::from_secs(60),
        progress: &mut |_| {},
        interrupted: &|| started.elapsed() > Duration::from_millis(200),
    };
    let result = fetch_entry(tiny.entry, &Folder::at(dir.path()), options);
    assert!(matches!(result, Err(Error::Interrupted)));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn two_fetches_do_not_write_the_same_file() {
    let tiny = tiny(&members());
    let dir = with_part(&tiny);
    let held = std::fs::File::open(dir.path().join("tiny.tar.gz.part")).unwrap();
    held.lock().unwrap();
    let error = fetch(&tiny, dir.path(), None, Some("http://127.0.0.1:1/")).0.unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error}");
}

#[test]
fn built_in_and_unknown_names_are_told_apart() {
    let options = || FetchOptions {
        from: None,
        base_url: None,
        stall: Duration::from_secs(1),
        progress: Box::leak(Box::new(|_: Progress<'_>| {})),
        interrupted: &|| false,
    };
    let folder = Folder::at("nowhere");
    assert!(
        matches!(crate::fetch("digits", &folder, options()), Err(Error::BuiltIn { name }) if name == "digits")
    );
    assert!(matches!(crate::fetch("imagenet", &folder, options()), Err(Error::UnknownName { .. })));
}
