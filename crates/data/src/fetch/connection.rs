//! The connection to a server, in a separate thread.
//!
//! The thread sends what arrives over a channel, so that a silent connection blocks neither the caller's time limit nor
//! Ctrl-C.

use std::io::Read;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use ureq::http::header::{CONTENT_RANGE, RANGE};

use crate::digest::CHUNK;

/// What the thread sends.
pub(super) enum Message {
    /// The body begins at this byte of the file.
    Begins(u64),
    Bytes(Vec<u8>),
    Ends,
    Answered(u16),
    NoConnection(String),
    Broke(String),
}

/// Starts the request. The thread ends once the receiver is dropped or the connection times out.
pub(super) fn request(url: &str, from: u64, stall: Duration) -> Receiver<Message> {
    let (sender, receiver) = sync_channel(8);
    let url = url.to_owned();
    let refused = sender.clone();
    let talk = move || {
        let last = talk(&url, from, stall, &sender);
        // The receiver may be gone.
        let _ = sender.send(last);
    };
    if let Err(error) = std::thread::Builder::new().spawn(talk) {
        let _ = refused.send(Message::NoConnection(format!("no thread for it: {error}")));
    }
    receiver
}

/// A client for this address; a server that is silent for as long as `stall` is given up. What a server answers is no error.
pub fn client(url: &str, stall: Duration) -> ureq::Agent {
    let local =
        ["http://127.0.0.1", "http://localhost", "http://[::1]"].iter().any(|host| url.starts_with(host));
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        // A proxy would resolve localhost to itself.
        .proxy(if local { None } else { ureq::Proxy::try_from_env() })
        .timeout_connect(Some(stall))
        .timeout_per_read(Some(stall))
        .user_agent(concat!("creditscope/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

fn talk(url: &str, from: u64, stall: Duration, sender: &SyncSender<Message>) -> Message {
    let agent = client(url, stall * 2);
    let ask = |from: u64| {
        let request = agent.get(url);
        if from > 0 { request.header(RANGE, format!("bytes={from}-")).call() } else { request.call() }
    };
    let mut response = ask(from);
    // 416: our part is not a prefix of the server's file. Request all of it.
    if from > 0 && response.as_ref().is_ok_and(|response| response.status() == 416) {
        response = ask(0);
    }
    let response = match response {
        Ok(response) => response,
        Err(error) => return Message::NoConnection(error.to_string()),
    };
    let begins = match response.status().as_u16() {
        200 => 0,
        206 => {
            let range = response.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok());
            // `bytes 100-199/200`
            let start =
                range.and_then(|range| range.strip_prefix("bytes ")?.split('-').next()?.parse::<u64>().ok());
            match start {
                Some(start) if start == from => from,
                _ => return Message::Broke("the server sent a different range than requested".to_owned()),
            }
        }
        status => return Message::Answered(status),
    };
    if sender.send(Message::Begins(begins)).is_err() {
        return Message::Ends;
    }
    let mut body = response.into_body().into_reader();
    let mut buffer = vec![0; CHUNK];
    loop {
        match body.read(&mut buffer) {
            Ok(0) => return Message::Ends,
            Ok(n) if sender.send(Message::Bytes(buffer[..n].to_vec())).is_err() => return Message::Ends,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Message::Broke(error.to_string()),
        }
    }
}
