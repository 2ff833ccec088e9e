//! A web server of one file whose manners are scripted, one connection after the other.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How the server treats a connection.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// Serves the file, or the range asked for.
    Good,
    /// Serves the whole file whatever is asked.
    IgnoresRanges,
    /// Answers a range with 416, anything else well.
    NotSatisfiable,
    /// Answers with a range that begins elsewhere.
    OtherRange,
    /// Announces the file, sends so many bytes of the body, and closes.
    CutsAfter(usize),
    /// The same, but stays silent in place of closing.
    StallsAfter(usize),
    /// Answers with a status and no file.
    Status(u16),
    /// Forwards to the same file under another path.
    Redirects,
}

pub(super) struct Server {
    pub(super) url: String,
    ranges: Arc<Mutex<Vec<Option<usize>>>>,
}

impl Server {
    /// Serves `file` to as many connections as there are manners; later ones are refused.
    pub(super) fn start(file: &[u8], manners: &[Manner]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/data/", listener.local_addr().unwrap());
        let ranges = Arc::new(Mutex::new(Vec::new()));
        let file = file.to_vec();
        let manners = manners.to_vec();
        let seen = Arc::clone(&ranges);
        std::thread::spawn(move || {
            for manner in manners {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                // The client may hang up whenever it likes.
                let _ = answer(stream, &file, manner, &seen);
            }
        });
        Self { url, ranges }
    }

    /// The first byte of each request's range.
    pub(super) fn ranges(&self) -> Vec<Option<usize>> {
        self.ranges.lock().unwrap().clone()
    }
}

fn answer(
    stream: TcpStream,
    file: &[u8],
    manner: Manner,
    seen: &Mutex<Vec<Option<usize>>>,
) -> std::io::Result<()> {
    let mut range = None;
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(first) = line.strip_prefix("range: bytes=") {
            range = first.trim_end_matches('-').parse::<usize>().ok();
        }
    }
    seen.lock().unwrap().push(range);
    let mut out = stream;
    let close = "Connection: close\r\n";
    let from = match (manner, range) {
        (Manner::Status(status), _) => {
            return write!(out, "HTTP/1.1 {status} X\r\nContent-Length: 0\r\n{close}\r\n");
        }
        (Manner::Redirects, _) => {
            return write!(out, "HTTP/1.1 302 X\r\nLocation: /other/x\r\nContent-Length: 0\r\n{close}\r\n");
        }
        (Manner::NotSatisfiable, Some(_)) => {
            return write!(out, "HTTP/1.1 416 X\r\nContent-Length: 0\r\n{close}\r\n");
        }
        (Manner::IgnoresRanges, _) | (_, None) => 0,
        (_, Some(from)) => from,
    };
    let body = &file[from..];
    let last = file.len() - 1;
    match (from, manner) {
        (0, _) => write!(out, "HTTP/1.1 200 OK\r\n")?,
        (_, Manner::OtherRange) => {
            write!(out, "HTTP/1.1 206 X\r\nContent-Range: bytes 0-{last}/{}\r\n", file.len())?
        }
        _ => write!(out, "HTTP/1.1 206 X\r\nContent-Range: bytes {from}-{last}/{}\r\n", file.len())?,
    }
    write!(out, "Content-Length: {}\r\n{close}\r\n", body.len())?;
    match manner {
        Manner::CutsAfter(n) => out.write_all(&body[..n.min(body.len())]),
        Manner::StallsAfter(n) => {
            out.write_all(&body[..n.min(body.len())])?;
            out.flush()?;
            std::thread::sleep(Duration::from_secs(4));
            Ok(())
        }
        _ => out.write_all(body),
    }
}
