//! `creditscope serve` and `report --refresh`: who is let in, what the page follows, and that the runs know nothing of it.

#[path = "../common/mod.rs"]
mod common;
mod doors;
mod follows;
mod harmless;
mod refresh;

use common::{program, recipe, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const RECIPE: &str = "
data.name = 'digits'
net.d = 16
net.blocks = 2
rule.name = ['bp', 'dfa']
train.epochs = 3
eval.samples = 32
audit.every = 0
seed = 1
";

/// A folder with the two runs of the recipe.
struct Runs {
    folder: tempfile::TempDir,
}

impl Runs {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let recipe = recipe(folder.path(), RECIPE);
        let runs = Self { folder };
        let mut command = program();
        let command = command.arg("run").arg(recipe).arg("--out").arg(runs.path()).arg("--quiet");
        let output = command.output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        runs
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    fn log(&self, run: &str) -> PathBuf {
        self.path().join(run).join("metrics.jsonl")
    }

    /// Makes a run look as if it were under way after its first lines, and returns the lines to come.
    fn rewind(&self, run: &str, lines: usize) -> Vec<String> {
        let record = self.path().join(run).join("run.json");
        let mut value: Value =
            serde_json::from_slice(&std::fs::read(&record).expect("a record")).expect("JSON");
        value["status"] = serde_json::json!({"state": "running"});
        std::fs::write(&record, value.to_string()).expect("written");
        let log = std::fs::read_to_string(self.log(run)).expect("a log");
        let all: Vec<String> = log.lines().map(|line| format!("{line}\n")).collect();
        std::fs::write(self.log(run), all[..lines].concat()).expect("written");
        all[lines..].to_vec()
    }

    fn append(&self, run: &str, text: &str) {
        let file = std::fs::OpenOptions::new().append(true).open(self.log(run));
        file.expect("a log").write_all(text.as_bytes()).expect("written");
    }
}

/// A server that ends with its test.
struct Server {
    child: Child,
    port: u16,
    token: String,
}

impl Server {
    fn new(path: &Path) -> Self {
        let mut command = program();
        let command = command.arg("serve").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let address = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, token) = address.strip_suffix('/').expect("an end").split_once('/').expect("a token");
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        Self { child, port: port.parse().expect("a port"), token: token.to_owned() }
    }

    /// What the server answers to these bytes, to the end.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        // It may answer and close before it has read all.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        text(&answer)
    }

    fn get(&self, target: &str) -> String {
        self.send(format!("GET {target} HTTP/1.1\r\nHost: localhost:1234\r\n\r\n").as_bytes())
    }

    fn page(&self) -> String {
        let answer = self.get(&format!("/{}/", self.token));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }

    fn state(&self) -> Value {
        let answer = self.get(&format!("/{}/state", self.token));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("JSON")
    }

    fn live(&self) -> String {
        self.state()["live"].as_str().expect("HTML").to_owned()
    }

    /// Fails where the page does not say so within `patience`.
    fn says_within(&self, patience: Duration, words: &str) {
        self.within(patience, |live| live.contains(words), words);
    }

    /// Asks every tenth of a second.
    fn within(&self, patience: Duration, is_so: impl Fn(&str) -> bool, words: &str) {
        let begun = Instant::now();
        loop {
            let live = self.live();
            if is_so(&live) {
                return;
            }
            assert!(begun.elapsed() < patience, "`{words}` after {:?}: {live}", begun.elapsed());
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send_signal(signal: &str, child: &Child) {
    let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(status.expect("kill is there").success());
}
