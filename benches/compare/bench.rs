//! What is compared: our program, a Python with torch, and the data that both use.

use crate::arguments::{Arguments, from_root};
use data::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything that the parts of the comparison need.
#[derive(Debug)]
pub(crate) struct Bench {
    /// The program under test.
    pub(crate) program: PathBuf,
    /// A Python with torch.
    pub(crate) python: PathBuf,
    /// The folder with CIFAR-10, or why there is none.
    pub(crate) cifar: Result<PathBuf, String>,
    /// Cores that may be used.
    pub(crate) cores: usize,
    /// Fewer rounds and cases.
    pub(crate) quick: bool,
    rounds: Option<usize>,
}

impl Bench {
    /// Finds everything; the error states what is missing and how to get it.
    pub(crate) fn prepare(arguments: &Arguments) -> Result<Self, String> {
        let program = match &arguments.program {
            Some(path) => path.clone(),
            None => beside_the_bench().ok_or("the path of this bench is unknown: give --program")?,
        };
        if !program.is_file() {
            let path = program.display();
            return Err(format!(
                "{path} does not exist: run `cargo build --release` first, or give --program"
            ));
        }
        let python = std::env::var_os("CREDITSCOPE_PYTHON").filter(|python| !python.is_empty());
        Ok(Self {
            program,
            python: python.map(as_program).ok_or_else(|| no_python("CREDITSCOPE_PYTHON is not set"))?,
            cifar: cifar(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            quick: arguments.quick,
            rounds: arguments.rounds,
        })
    }

    /// Rounds of a part: as asked for, else `usual`, or `few` with `--quick`.
    pub(crate) fn rounds(&self, usual: usize, few: usize) -> usize {
        self.rounds.unwrap_or(if self.quick { few } else { usual })
    }

    /// Our program with the arguments of one of its commands.
    pub(crate) fn ours(&self, command: &[&str]) -> Command {
        let mut ours = Command::new(&self.program);
        ours.args(command);
        ours
    }

    /// One of the scripts of `compare/torch`.
    pub(crate) fn script(&self, name: &str) -> Command {
        let mut python = Command::new(&self.python);
        python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("compare/torch").join(name));
        // Leave no bytecode in the sources.
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        python
    }
}

/// A number of rounds in words.
pub(crate) fn in_words(rounds: usize) -> String {
    if rounds == 1 { "One round".to_owned() } else { format!("{rounds} rounds") }
}

/// What is wrong with this Python, and how to get one.
pub(crate) fn no_python(what: &str) -> String {
    format!(
        "{what}.
The comparison needs a Python with torch:
  python3 -m venv torch-env
  torch-env/bin/pip install torch --index-url https://download.pytorch.org/whl/cpu
  torch-env/bin/pip install numpy matplotlib safetensors
(or, if that index cannot be reached, `pip install torch numpy matplotlib safetensors`), and then
  CREDITSCOPE_PYTHON=torch-env/bin/python cargo bench -p creditscope-benches --bench compare"
    )
}

/// A bare name is searched on the PATH; anything else is a path.
fn as_program(name: std::ffi::OsString) -> PathBuf {
    if Path::new(&name).components().count() == 1 { PathBuf::from(name) } else { from_root(name) }
}

/// `target/release/creditscope`, seen from `target/release/deps/compare-…`.
fn beside_the_bench() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?;
    Some(here.parent()?.parent()?.join("creditscope").with_extension(std::env::consts::EXE_EXTENSION))
}

fn cifar() -> Result<PathBuf, String> {
    let folder = Folder::default_location().map_err(|error| error.to_string())?;
    let folder = from_root(folder.path());
    if folder.join("cifar-10-batches-bin/test_batch.bin").is_file() {
        return Ok(folder);
    }
    Err("CIFAR-10 (binary version) is missing: run `creditscope data fetch cifar10`, or set CREDITSCOPE_DATA"
        .to_owned())
}
