//! What the command line asks for.

use std::path::{Path, PathBuf};

/// The command line, read and checked.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// Parts to measure; empty for all.
    only: Vec<String>,
    /// Rounds of every part, in place of its own.
    pub(crate) rounds: Option<usize>,
    /// Fewer rounds and cases.
    pub(crate) quick: bool,
    /// Where the report goes, without `.json` and `.md`; none where it is only printed.
    pub(crate) out: Option<PathBuf>,
    /// The program under test, where it is not beside the bench.
    pub(crate) program: Option<PathBuf>,
}

/// The text of `--help`.
pub(crate) fn help(parts: &[&str]) -> String {
    format!(
        "Measures Creditscope beside PyTorch and matplotlib, in turns.

  CREDITSCOPE_PYTHON=PYTHON cargo bench -p creditscope-benches --bench compare [-- OPTIONS]

  --only LIST     Parts to measure, separated by commas: {}
  --rounds N      Rounds of every part [default: each its own]
  --quick         Few rounds and cases, under three minutes
  --out STEM      Writes STEM.json and the tables of STEM.md [default: docs/benchmarks for a whole
                  comparison; otherwise the report is only printed]
  --program PATH  The program under test [default: target/release/creditscope]

Relative paths begin at the root of the repository. CREDITSCOPE_PYTHON names a Python that imports torch, numpy,
matplotlib and safetensors; CREDITSCOPE_DATA the folder with CIFAR-10; CREDITSCOPE_SEEDS the folder of the paper's
figure scripts; CREDITSCOPE_PAPER_TREE the folder that holds its results.
",
        parts.join(", ")
    )
}

impl Arguments {
    /// Reads the arguments behind the program's name; none where help is asked for.
    pub(crate) fn parse(
        mut given: impl Iterator<Item = String>,
        parts: &[&str],
    ) -> Result<Option<Self>, String> {
        let mut found = Self { only: vec![], rounds: None, quick: false, out: None, program: None };
        while let Some(word) = given.next() {
            let mut value = || given.next().ok_or(format!("{word} wants a value; --help lists the options"));
            match word.as_str() {
                // Cargo adds this by itself.
                "--bench" => {}
                "--help" | "-h" => return Ok(None),
                "--quick" => found.quick = true,
                "--only" => found.only = value()?.split(',').map(|part| part.trim().to_owned()).collect(),
                "--rounds" => {
                    let text = value()?;
                    let rounds = text.parse().ok().filter(|&rounds| rounds > 0);
                    found.rounds = Some(rounds.ok_or(format!("--rounds wants a number from 1, not {text}"))?);
                }
                "--out" => found.out = Some(from_root(value()?)),
                "--program" => found.program = Some(from_root(value()?)),
                _ => return Err(format!("{word} is no option; --help lists them")),
            }
        }
        if let Some(unknown) = found.only.iter().find(|name| !parts.contains(&name.as_str())) {
            return Err(format!("--only {unknown}: the parts are {}", parts.join(", ")));
        }
        // A few parts, or other rounds, do not replace the record of a whole comparison unless `--out` asks for it.
        let whole = found.only.is_empty() && found.rounds.is_none() && !found.quick;
        if found.out.is_none() && whole {
            found.out = Some(from_root("docs/benchmarks"));
        }
        Ok(Some(found))
    }

    /// Whether a part is to be measured.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == part)
    }
}

/// A path as seen from the root of the repository. Cargo starts benches in the folder of their package.
pub(crate) fn from_root(path: impl AsRef<Path>) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).join(path)
}
