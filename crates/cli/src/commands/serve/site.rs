//! Two addresses behind a token, and nothing else: no request reaches the disk by its path.

use super::reply::Reply;
use super::request::Request;
use crate::commands::report::{Press, Sheet};
use crate::commands::watch::Watch;
use crate::failure::Failure;
use report::html::Mode;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is served. It is computed when it is asked for.
pub(super) struct Site {
    token: String,
    root: Vec<PathBuf>,
    command: String,
    watch: Mutex<Watch>,
    sheet: Mutex<Option<Arc<Sheet>>>,
    /// Held by who makes a page, so that nobody makes the same one.
    press: Mutex<()>,
}

impl Site {
    pub(super) fn new(token: String, root: PathBuf, command: String) -> Self {
        let root = vec![root];
        let watch = Mutex::new(Watch::new(&root));
        Self { token, root, command, watch, sheet: Mutex::default(), press: Mutex::default() }
    }

    /// The answer to a request.
    pub(super) fn answer(&self, request: &Request) -> Reply {
        if !request.is_for_this_machine() {
            return Reply::refusal("403 Forbidden", "This page is for 127.0.0.1 and localhost alone.");
        }
        if !["GET", "HEAD"].contains(&request.method.as_str()) {
            return Reply::refusal("405 Method Not Allowed", "This page can be read, and nothing else.");
        }
        match self.behind_token(&request.target) {
            Some("") => self.page().unwrap_or_else(|failure| {
                Reply::refusal("500 Internal Server Error", &failure.message().unwrap_or_default())
            }),
            Some("state") => self.state(),
            _ => Reply::refusal(
                "404 Not Found",
                "There is nothing here. The address is the whole line that `creditscope serve` printed, with the / at its end.",
            ),
        }
    }

    /// What follows the token in an address; none where that is not the right one. The time it takes does not depend on how much of
    /// it is right.
    fn behind_token<'a>(&self, target: &'a str) -> Option<&'a str> {
        let (given, rest) = target.strip_prefix('/')?.split_once('/')?;
        let differ = |(a, b): (u8, u8)| std::hint::black_box(a ^ b);
        let same = given.len() == self.token.len()
            && given.bytes().zip(self.token.bytes()).map(differ).fold(0, |all, bits| all | bits) == 0;
        same.then_some(rest)
    }

    /// The page, made anew where that is worth it.
    fn page(&self) -> Result<Reply, Failure> {
        let one_at_a_time = held(&self.press);
        let (version, ended) = self.look();
        let known = held(&self.sheet).clone().filter(|sheet| !sheet.is_out_of_date(version, ended));
        let sheet = match known {
            Some(sheet) => sheet,
            None => {
                let press = Press {
                    paths: &self.root,
                    title: None,
                    command: &self.command,
                    mode: Mode::Served,
                    full: false,
                };
                let sheet = Arc::new(press.print(version, ended)?);
                *held(&self.sheet) = Some(sheet.clone());
                sheet
            }
        };
        drop(one_at_a_time);
        Ok(Reply::page(sheet.html(&held(&self.watch))))
    }

    /// What the page asks for every second: what is under way, and which page it would get.
    fn state(&self) -> Reply {
        let (version, ended) = self.look();
        let sheet = held(&self.sheet).clone();
        let watch = held(&self.watch);
        let (revision, live) = match sheet {
            Some(sheet) if !sheet.is_out_of_date(version, ended) => (sheet.version(), sheet.live(&watch)),
            Some(sheet) => (version, sheet.live(&watch)),
            None => (version, watch.now()),
        };
        Reply::json(
            json!({"revision": revision.to_string(), "live": live.html(), "ended": ended}).to_string(),
        )
    }

    fn look(&self) -> (u64, bool) {
        let mut watch = held(&self.watch);
        watch.look();
        (watch.version(), watch.has_ended())
    }
}

/// What a thread left that panicked is as good as what it found: looks and pages are replaced whole.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
