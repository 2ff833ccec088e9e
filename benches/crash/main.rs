//! SIGKILL at any moment: `cargo bench -p creditscope-benches --bench crash [-- --kills N] [--program FILE] [--out FILE]`.
//!
//! Real runs of the real program, killed, resumed and killed again until they finish; then every byte of the result is
//! compared with that of a run that nobody disturbed. Half of the kills come at random, the others as soon as a file is
//! seen half written. Prints where they hit, and writes the table to a file. That a kill is the mildest of crashes, since
//! the system lives on, is why there is a model of worse ones (`crates/lab/tests/crash`).

mod killed;
mod result;

use killed::{Aim, Struck};
use result::Finished;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A checkpoint after every epoch, of half a megabyte.
const RECIPE: &str = "
data.name = 'digits'
net.d = 96
net.blocks = 2
rule.name = 'dfa'
train.batch = 64
train.epochs = 10
eval.samples = 100
audit.every = 0
";
const RUN: &str = "dfa-s42";

fn main() -> Result<(), Box<dyn Error>> {
    let Asked { kills, program, out } = Asked::read()?;
    let folder = tempfile::tempdir()?;
    let recipe = folder.path().join("recipe.toml");
    std::fs::write(&recipe, RECIPE)?;
    let start = |out: &Path| {
        let mut command = Command::new(&program);
        command.arg("run").arg(&recipe).arg("--out").arg(out);
        command.args(["--resume", "--quiet", "--checkpoint-every", "0", "--threads", "1"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
    };
    let whole = folder.path().join("whole");
    let begun = Instant::now();
    succeeded(start(&whole)?)?;
    let length = begun.elapsed();
    let origin = result::origin(&whole.join(RUN))?;
    let whole = Finished::read(&whole.join(RUN))?;
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut struck: BTreeMap<(Struck, bool), usize> = BTreeMap::new();
    let (mut done, mut runs, mut most) = (0, 0, 0);
    while done < kills {
        let out = folder.path().join(format!("run{runs}"));
        let mut sittings = 0;
        loop {
            let mut child = start(&out)?;
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // Longer from sitting to sitting, so that a run gets somewhere.
            let wait = length.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64).min(length / 2);
            let wait = wait * (2 + sittings) / 4;
            let aim = [Aim::Anywhere, Aim::Checkpoint, Aim::Anywhere, Aim::Record][random as usize % 4];
            let hit = killed::after(&mut child, wait, aim, &out.join(RUN))?;
            let Some(hit) = hit else {
                succeeded(child)?;
                break;
            };
            *struck.entry((hit, sittings > 0)).or_default() += 1;
            done += 1;
            sittings += 1;
        }
        runs += 1;
        most = most.max(sittings);
        let finished = Finished::read(&out.join(RUN))?;
        whole.same(&finished).map_err(|what| format!("run {runs}, killed {sittings} times: {what}"))?;
        std::fs::remove_dir_all(&out)?;
    }
    let page = page(&origin, &struck, done, runs, most);
    print!("{page}");
    out.map_or(Ok(()), |out| std::fs::write(out, page))?;
    Ok(())
}

fn page(
    origin: &str,
    struck: &BTreeMap<(Struck, bool), usize>,
    done: usize,
    runs: usize,
    most: u32,
) -> String {
    let mut page = format!(
        "# Killed\n\nWritten by `cargo bench -p creditscope-benches --bench crash` ([what it does](../../benches/README.md)).\n\n\
         {origin}\n\n\
         | killed by SIGKILL while it was | in the first sitting | resuming or resumed |\n|---|---|---|\n",
    );
    let count = |hit: Struck, resumed: bool| struck.get(&(hit, resumed)).copied().unwrap_or(0);
    for hit in Struck::ALL {
        let _ = writeln!(page, "| {} | {} | {} |", hit.words(), count(hit, false), count(hit, true));
    }
    let _ = writeln!(
        page,
        "\n{done} kills in {runs} runs of 10 epochs, at most {most} in one. {runs} of {runs} runs finished with the bytes of a run \
         that was never killed: weights, moments, feedback, credit, every line of the log but for its times, the result in \
         `run.json`. No file was left over."
    );
    page
}

/// Waits for the end, which must be a good one.
fn succeeded(child: Child) -> Result<(), Box<dyn Error>> {
    let output = child.wait_with_output()?;
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(format!("{}: {words}", output.status).into()) }
}

struct Asked {
    kills: usize,
    program: PathBuf,
    out: Option<PathBuf>,
}

impl Asked {
    fn read() -> Result<Self, Box<dyn Error>> {
        // Beside this bench's own file, which is in `deps`.
        let beside =
            std::env::current_exe()?.parent().and_then(Path::parent).map(|folder| folder.join("creditscope"));
        let mut asked = Self { kills: 1000, program: beside.unwrap_or_default(), out: None };
        let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--kills" => asked.kills = value()?.parse()?,
                "--program" => asked.program = value()?.into(),
                "--out" => asked.out = Some(value()?.into()),
                _ => {
                    return Err(format!(
                        "there is no option `{word}`: --kills N, --program FILE, --out FILE"
                    )
                    .into());
                }
            }
        }
        if !asked.program.is_file() {
            return Err(
                format!("there is no program {}: cargo build --release", asked.program.display()).into()
            );
        }
        Ok(asked)
    }
}

/// How long a poll waits; a checkpoint takes longer to write.
const POLL: Duration = Duration::from_micros(50);
