//! What a browser asks for: the head of an HTTP request, of which the method, the address and the host count.

/// Most bytes of a request's head.
pub(super) const LONGEST: usize = 8 * 1024;
/// Most lines in it.
const LINES: usize = 64;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// `GET`.
    pub(super) method: String,
    /// `/TOKEN/state`, as it was sent.
    pub(super) target: String,
    /// The name under which the browser knows the server, if it says so once.
    pub(super) host: Option<String>,
}

/// Why a request is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is no HTTP.
    Malformed,
    /// Its head does not end.
    TooLong,
}

impl Request {
    /// The request in what was received so far; none while its end is missing.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>, Fault> {
        let mut lines = [httparse::EMPTY_HEADER; LINES];
        let mut request = httparse::Request::new(&mut lines);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST => return Ok(None),
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                return Err(Fault::TooLong);
            }
            Err(_) => return Err(Fault::Malformed),
        }
        let (Some(method), Some(target)) = (request.method, request.path) else {
            return Err(Fault::Malformed);
        };
        let mut hosts = request.headers.iter().filter(|line| line.name.eq_ignore_ascii_case("host"));
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => std::str::from_utf8(host.value).ok().map(str::to_owned),
            _ => None,
        };
        Ok(Some(Self { method: method.to_owned(), target: target.to_owned(), host }))
    }

    /// Whether the browser knows the server as this machine itself, under whatever port: a tunnel has its own. A page from
    /// elsewhere whose name was made to lead here gives that name away.
    pub(super) fn is_for_this_machine(&self) -> bool {
        let Some(host) = &self.host else { return false };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (host.as_str(), ""),
        };
        let is_name = name.eq_ignore_ascii_case("localhost") || ["127.0.0.1", "[::1]"].contains(&name);
        is_name && port.bytes().all(|byte| byte.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn get(target: &str, host: &str) -> Request {
        Request { method: "GET".to_owned(), target: target.to_owned(), host: Some(host.to_owned()) }
    }

    #[test]
    fn only_the_names_of_this_machine_are_its_names() {
        let cases = [
            ("127.0.0.1:8000", true),
            ("localhost", true),
            ("LOCALHOST:1", true),
            ("[::1]:8000", true),
            ("[::1]", true),
            ("127.0.0.1.evil.example:8000", false),
            ("evil.example", false),
            ("localhost:80@evil.example", false),
            ("localhost.evil.example:8000", false),
            ("127.0.0.1:80:90", false),
            ("[::1", false),
            ("", false),
        ];
        for (host, expected) in cases {
            assert_eq!(get("/", host).is_for_this_machine(), expected, "{host}");
        }
        let twice = Request::parse(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n");
        assert!(!twice.expect("a request").expect("whole").is_for_this_machine());
        let without = Request::parse(b"GET / HTTP/1.0\r\n\r\n").expect("a request").expect("whole");
        assert!(!without.is_for_this_machine());
    }

    #[test]
    fn what_is_none_is_told_from_what_is_not_yet_one() {
        assert_eq!(Request::parse(b"GET /a HTTP/1.1\r\nHost: localhost\r\n"), Ok(None));
        assert_eq!(Request::parse(b"\x16\x03\x01 hello"), Err(Fault::Malformed));
        let long = format!("GET /a HTTP/1.1\r\nA: {}", "x".repeat(LONGEST));
        assert_eq!(Request::parse(long.as_bytes()), Err(Fault::TooLong));
        let many = format!("GET /a HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(LINES + 1));
        assert_eq!(Request::parse(many.as_bytes()), Err(Fault::TooLong));
    }

    proptest! {
        #[test]
        fn nothing_that_is_sent_is_too_much(bytes in prop::collection::vec(any::<u8>(), 0..LONGEST + 10)) {
            if let Ok(Some(request)) = Request::parse(&bytes) {
                let _ = request.is_for_this_machine();
            }
        }

        #[test]
        fn a_request_is_read_as_it_was_sent_however_it_arrives(
            target in "/[ -~&&[^ ]]{0,60}", host in "[a-z0-9.:]{1,30}", lines in prop::collection::vec("[A-Z][a-z]{1,8}: [ -~]{0,40}", 0..20),
        ) {
            prop_assume!(lines.iter().all(|line| !line.starts_with("Host:")));
            let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
            let text = format!("GET {target} HTTP/1.1\r\n{lines}Host: {host}\r\n\r\n");
            for end in 0..text.len() {
                prop_assert_eq!(Request::parse(&text.as_bytes()[..end]), Ok(None));
            }
            prop_assert_eq!(Request::parse(text.as_bytes()), Ok(Some(get(&target, &host))));
        }
    }
}
