//! What a page that follows a run costs: `cargo bench -p creditscope-benches --bench serve [-- --turns N] [--program FILE]`.
//!
//! Ten epochs of the real program, in turns alone and beside `creditscope serve`, which is asked every second as a browser asks: for
//! what is under way, and for the page whenever there is another one. Prints the processor time of both, and after how long each
//! epoch was on the page. Linux only: times are read from `/proc`.

use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// The size of an epoch on CIFAR-10, without its data.
const RECIPE: &str = "
data.name = 'teacher'
teacher.inputs = 3072
net.d = 256
net.blocks = 4
rule.name = 'dfa'
train.epochs = 10
seed = 1
";
const EPOCHS: u64 = 10;
const LOG: &str = "dfa-s1/metrics.jsonl";

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test` builds benches with other settings and calls them without `--bench`.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let (turns, program) = asked()?;
    let folder = tempfile::tempdir()?;
    let recipe = folder.path().join("recipe.toml");
    std::fs::write(&recipe, RECIPE)?;
    println!(
        "| turn | training alone | training beside the page | the page | share | pages | epochs seen after |"
    );
    println!("|---|---|---|---|---|---|---|");
    for turn in 1..=turns {
        let out = |name: &str| folder.path().join(format!("{name}{turn}"));
        let train = |out: &Path| {
            let mut command = Command::new(&program);
            command.arg("run").arg(&recipe).arg("--out").arg(out).args(["--threads", "1", "--quiet"]).spawn()
        };
        let mut child = train(&out("alone"))?;
        let alone = loop {
            if let Some(time) = ended(&mut child)? {
                break time;
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        std::fs::create_dir_all(out("beside"))?;
        let mut server = Server::start(&program, &out("beside"))?;
        let mut child = train(&out("beside"))?;
        let mut seen = Seen::default();
        let beside = loop {
            let next = Instant::now() + Duration::from_secs(1);
            seen.ask(&server, &out("beside").join(LOG))?;
            if let Some(time) = ended(&mut child)? {
                break time;
            }
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        };
        let page = server.time()?;
        server.stop()?;
        println!(
            "| {turn} | {:.1} s | {:.1} s | {:.2} s | {:.2} % | {} | {:.1} s at most |",
            alone.as_secs_f64(),
            beside.as_secs_f64(),
            page.as_secs_f64(),
            100.0 * page.as_secs_f64() / beside.as_secs_f64(),
            seen.pages,
            seen.latest.as_secs_f64()
        );
    }
    Ok(())
}

/// What a browser saw.
#[derive(Default)]
struct Seen {
    revision: String,
    pages: usize,
    epoch: Option<u64>,
    latest: Duration,
}

impl Seen {
    fn ask(&mut self, server: &Server, log: &Path) -> Result<(), Box<dyn Error>> {
        let state: Value = serde_json::from_str(&server.get("state")?)?;
        let live = state["live"].as_str().unwrap_or_default();
        let shown = (0..=EPOCHS).rev().find(|epoch| live.contains(&format!(">{epoch} of {EPOCHS}")));
        if shown > self.epoch {
            self.epoch = shown;
            let late = SystemTime::now().duration_since(std::fs::metadata(log)?.modified()?)?;
            self.latest = self.latest.max(late);
        }
        let revision = state["revision"].as_str().unwrap_or_default();
        if revision != self.revision {
            self.revision = revision.to_owned();
            server.get("")?;
            self.pages += 1;
        }
        Ok(())
    }
}

struct Server {
    child: Child,
    /// `127.0.0.1:PORT`, and the path of the page.
    address: (String, String),
}

impl Server {
    fn start(program: &Path, runs: &Path) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program).arg("serve").arg(runs).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.split_once('/'));
        let (host, token) = address.ok_or_else(|| format!("no address: {line}"))?;
        Ok(Self { child, address: (host.to_owned(), format!("/{token}")) })
    }

    fn get(&self, rest: &str) -> Result<String, Box<dyn Error>> {
        let (host, path) = &self.address;
        let mut stream = TcpStream::connect(host)?;
        write!(stream, "GET {path}{rest} HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        if head.starts_with("HTTP/1.1 200") { Ok(body.to_owned()) } else { Err(head.into()) }
    }

    fn time(&self) -> Result<Duration, Box<dyn Error>> {
        Ok(stat(&self.child)?.1)
    }

    fn stop(&mut self) -> std::io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(|_| ())
    }
}

/// The processor time of a process that has ended well; none while it has not. It is asked for before the system forgets it.
fn ended(child: &mut Child) -> Result<Option<Duration>, Box<dyn Error>> {
    let (state, time) = stat(child)?;
    if state != 'Z' {
        return Ok(None);
    }
    if child.wait()?.success() { Ok(Some(time)) } else { Err("training failed".into()) }
}

/// The state of a process and the processor time that it has used, with what the kernel did for it.
fn stat(child: &Child) -> Result<(char, Duration), Box<dyn Error>> {
    /// Linux counts in hundredths of a second, whatever the kernel's own clock.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id()))?;
    let (_, fields) = text.rsplit_once(") ").ok_or("not a process")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let state = fields[0].chars().next().ok_or("no state")?;
    let ticks: u32 = fields[11].parse::<u32>()? + fields[12].parse::<u32>()?;
    Ok((state, TICK * ticks))
}

fn asked() -> Result<(usize, PathBuf), Box<dyn Error>> {
    // Beside this bench's own file, which is in `deps`.
    let beside = std::env::current_exe()?.parent().and_then(Path::parent).map(|at| at.join("creditscope"));
    let (mut turns, mut program) = (3, beside.unwrap_or_default());
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--turns" => turns = value()?.parse()?,
            "--program" => program = value()?.into(),
            _ => return Err(format!("there is no option `{word}`: --turns N, --program FILE").into()),
        }
    }
    if !program.is_file() {
        return Err(format!("there is no program {}: cargo build --release", program.display()).into());
    }
    Ok((turns, program))
}
