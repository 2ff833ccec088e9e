//! What a browser is answered.

use report::html::{Mode, policy};

/// An answer.
pub(super) struct Reply {
    status: &'static str,
    kind: &'static str,
    policy: String,
    body: Vec<u8>,
}

/// Of what is no page, nothing may run and nothing be loaded.
const NOTHING: &str = "default-src 'none'";

impl Reply {
    /// The page.
    pub(super) fn page(html: String) -> Self {
        let policy = policy(Mode::Served);
        Self { status: "200 OK", kind: "text/html; charset=utf-8", policy, body: html.into_bytes() }
    }

    /// Data for the page.
    pub(super) fn json(text: String) -> Self {
        let policy = NOTHING.to_owned();
        Self { status: "200 OK", kind: "application/json", policy, body: text.into_bytes() }
    }

    /// A refusal, in words.
    pub(super) fn refusal(status: &'static str, words: &str) -> Self {
        let body = format!("{words}\n").into_bytes();
        Self { status, kind: "text/plain; charset=utf-8", policy: NOTHING.to_owned(), body }
    }

    /// The bytes to send; without the body where only the head was asked for.
    pub(super) fn bytes(&self, head_only: bool) -> Vec<u8> {
        let Self { status, kind, policy, body } = self;
        let mut bytes = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n\
             Allow: GET, HEAD\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        if !head_only {
            bytes.extend_from_slice(body);
        }
        bytes
    }
}
