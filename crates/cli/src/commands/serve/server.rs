//! Takes connections, one thread each and few at a time, and answers one request on each.

use super::reply::Reply;
use super::request::{Fault, LONGEST, Request};
use super::site::Site;
use lab::Interrupt;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Connections at a time.
const MOST: usize = 16;
/// How long a request may take to arrive, and how long a browser may take no byte of the answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the answer may take in all.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);

/// A socket that only this machine reaches.
pub(super) fn bind(port: u16) -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// Serves until somebody asks to stop. Whoever is being answered then is not waited for.
pub(super) fn serve(listener: &TcpListener, port: u16, site: &Arc<Site>, interrupt: &Interrupt) {
    let own = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // The wait for a connection ends with a connection.
    let _guard = interrupt.on_request(move || {
        let _ = TcpStream::connect_timeout(&own, Duration::from_secs(1));
    });
    let busy = Arc::new(AtomicUsize::new(0));
    while !interrupt.requested() {
        let Ok((stream, _)) = listener.accept() else {
            // Such as with too many files open.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if busy.load(Ordering::SeqCst) >= MOST {
            turn_away(stream);
            continue;
        }
        busy.fetch_add(1, Ordering::SeqCst);
        let place = Place(busy.clone());
        let site = site.clone();
        let work = move || {
            let _place = place;
            // Whoever left has no use for the rest.
            let _ = attend(stream, &site);
        };
        // Where the system has no thread to give, this one is not served and asks again.
        let _ = std::thread::Builder::new().name("page".to_owned()).spawn(work);
    }
}

/// A place among those who are served at a time.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn turn_away(mut stream: TcpStream) {
    let reply =
        Reply::refusal("503 Service Unavailable", "Too many requests at a time: try again in a moment.");
    let _ = stream.set_nonblocking(true).and_then(|()| stream.write_all(&reply.bytes(false)));
}

fn attend(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (reply, head_only) = match receive(&mut stream)? {
        Ok(request) => (site.answer(&request), request.method == "HEAD"),
        Err(Fault::Malformed) => (Reply::refusal("400 Bad Request", "This is no HTTP request."), false),
        Err(Fault::TooLong) => {
            (Reply::refusal("431 Request Header Fields Too Large", "The request is too long."), false)
        }
    };
    send(&mut stream, &reply.bytes(head_only))?;
    stream.shutdown(Shutdown::Write)?;
    drain(&mut stream)
}

/// The request of a connection, or what is wrong with it.
fn receive(stream: &mut TcpStream) -> io::Result<Result<Request, Fault>> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let mut more = [0; 2048];
        let room = more.len().min(LONGEST - bytes.len());
        match stream.read(&mut more[..room])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => bytes.extend_from_slice(&more[..n]),
        }
        match Request::parse(&bytes) {
            Ok(None) => {}
            Ok(Some(request)) => return Ok(Ok(request)),
            Err(fault) => return Ok(Err(fault)),
        }
    }
}

fn send(stream: &mut TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    let end = Instant::now() + LONGEST_ANSWER;
    stream.set_write_timeout(Some(PATIENCE))?;
    while !bytes.is_empty() {
        if Instant::now() > end {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match stream.write(bytes)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            n => bytes = &bytes[n..],
        }
    }
    Ok(())
}

/// Reads what is left of a refused request for a moment: closing on unread bytes would throw the answer away.
fn drain(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut rest = [0; 4096];
    for _ in 0..16 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}
