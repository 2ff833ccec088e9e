//! Who is let in: a browser of this machine that knows the token, to read two addresses.

use crate::{Runs, Server};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const SECRET: &str = "what-nobody-is-to-see";

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn without_the_token_there_is_nothing() {
    let runs = Runs::new();
    let server = Server::new(&runs.path());
    let token = &server.token;
    let mut wrong = token.clone().into_bytes();
    wrong[31] = if wrong[31] == b'0' { b'1' } else { b'0' };
    let wrong = String::from_utf8(wrong).expect("text");
    let upper = token.to_uppercase();
    let mut targets = vec![
        "/".to_owned(),
        "/state".to_owned(),
        format!("/{wrong}/"),
        format!("/{wrong}/state"),
        format!("/{}/", &token[..31]),
        format!("/{token}0/"),
        format!("/{token}"),
        "/favicon.ico".to_owned(),
        "*".to_owned(),
    ];
    targets.extend((upper != *token).then(|| format!("/{upper}/")));
    for target in targets {
        let answer = server.get(&target);
        assert_eq!(status(&answer), "404", "{target}: {answer}");
        assert!(!answer.contains(token) && !answer.contains("dfa-s1"), "{target}: {answer}");
    }
    assert!(server.page().contains("dfa-s1"));
}

#[test]
fn no_request_reaches_a_file() {
    let runs = Runs::new();
    std::fs::write(runs.folder.path().join("secret"), SECRET).expect("written");
    std::fs::write(runs.path().join("secret"), SECRET).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", runs.path().join("link")).expect("a link");
    let server = Server::new(&runs.path());
    let token = &server.token;
    let secret = runs.folder.path().join("secret").display().to_string();
    for rest in [
        "secret",
        "link",
        "../secret",
        "%2e%2e/secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "....//secret",
        "..\\secret",
        "dfa-s1/run.json",
        "dfa-s1/../secret",
        "./",
        "state/",
        "state/../",
        "state?path=secret",
        "/etc/passwd",
        "%00",
        &secret,
    ] {
        for target in [format!("/{token}/{rest}"), format!("/{rest}"), rest.to_owned()] {
            let answer = server.get(&target);
            assert!(["404", "400"].contains(&status(&answer)), "{target}: {answer}");
            assert!(!answer.contains(SECRET) && !answer.contains("root:"), "{target}: {answer}");
        }
    }
    let absolute = server.get(&format!("http://127.0.0.1:{}/{token}/", server.port));
    assert_eq!(status(&absolute), "404", "a proxy's way to ask: {absolute}");
}

#[test]
fn a_name_that_somebody_made_lead_here_is_refused() {
    let runs = Runs::new();
    let server = Server::new(&runs.path());
    let ask = |head: &str| server.send(format!("GET /{}/ HTTP/1.1\r\n{head}\r\n", server.token).as_bytes());
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost:80@evil.example", ""]
    {
        let answer = ask(&format!("Host: {host}\r\n"));
        assert_eq!(status(&answer), "403", "{host}: {answer}");
        assert!(!answer.contains("dfa-s1"));
    }
    assert_eq!(status(&ask("")), "403", "no name");
    assert_eq!(status(&ask("Host: localhost\r\nHost: evil.example\r\n")), "403", "two names");
    // A tunnel has a port of its own.
    for host in ["127.0.0.1:1", "localhost", "[::1]:9999"] {
        assert_eq!(status(&ask(&format!("Host: {host}\r\n"))), "200", "{host}");
    }
}

#[test]
fn it_can_be_read_and_nothing_else() {
    let runs = Runs::new();
    let server = Server::new(&runs.path());
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
        let body = "x".repeat(10_000);
        let head =
            format!("{method} /{}/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000", server.token);
        let answer = server.send(format!("{head}\r\n\r\n{body}").as_bytes());
        assert_eq!(status(&answer), "405", "{method}: {answer}");
    }
    let head = server.send(format!("HEAD /{}/ HTTP/1.1\r\nHost: localhost\r\n\r\n", server.token).as_bytes());
    let (head, body) = head.split_once("\r\n\r\n").expect("a head");
    assert!(status(head) == "200" && body.is_empty(), "{head}");
    let page = server.page();
    assert!(head.contains("Content-Length: ") && !head.contains("Content-Length: 0"));
    for line in ["X-Content-Type-Options: nosniff", "Cache-Control: no-store", "Referrer-Policy: no-referrer"]
    {
        assert!(head.contains(line), "{line} is missing in {head}");
    }
    // The page states the same policy as the head of the answer.
    let policy =
        head.lines().find_map(|line| line.strip_prefix("Content-Security-Policy: ")).expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && policy.ends_with("; connect-src 'self'"), "{policy}");
    let stated = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"").expect("a policy").1;
    let stated = stated.split('"').next().expect("its end").replace("&#39;", "'").replace("&apos;", "'");
    assert_eq!(stated, policy);
}

#[test]
fn what_is_no_request_is_answered_in_words_or_not_at_all() {
    let runs = Runs::new();
    let server = Server::new(&runs.path());
    let long = format!(
        "GET /{}/ HTTP/1.1\r\nHost: localhost\r\nCookie: {}\r\n\r\n",
        server.token,
        "x".repeat(100_000)
    );
    assert_eq!(status(&server.send(long.as_bytes())), "431");
    let garbage: Vec<u8> = (0..50_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [&garbage[..], b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\0\0\0\0"] {
        assert_eq!(status(&server.send(bytes)), "400");
    }
    assert!(server.page().contains("dfa-s1"), "it goes on");
}

#[test]
fn who_sends_nothing_keeps_nobody_waiting() {
    let runs = Runs::new();
    let server = Server::new(&runs.path());
    let open = || TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    let mut slow: Vec<TcpStream> = (0..8).map(|_| open()).collect();
    for (n, stream) in slow.iter_mut().enumerate() {
        stream.write_all(&b"GET / HTTP/1.1\r\nHost: localhost"[..n]).expect("sent");
    }
    let begun = Instant::now();
    assert!(server.page().contains("dfa-s1"));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    // However many there are, they are sent away after a while, and the page is there again.
    let many: Vec<TcpStream> = (0..40).map(|_| open()).collect();
    // Until then it may be turned away, as may they.
    let meanwhile = server.get(&format!("/{}/", server.token));
    assert!(meanwhile.is_empty() || ["200", "503"].contains(&status(&meanwhile)), "{meanwhile}");
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(15))).expect("a socket");
        assert!(stream.read(&mut [0; 64]).is_ok_and(|n| n == 0), "it is closed without an answer");
    }
    std::thread::sleep(Duration::from_secs(1));
    assert!(server.page().contains("dfa-s1"));
    drop(many);
}
