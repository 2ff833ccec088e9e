//! The command line.

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
    /// Where the report goes, without `.json` and `.md`; none if it is only printed.
    pub(crate) out: Option<PathBuf>,
    /// The program under test, if it is not next to the bench.
    pub(crate) program: Option<PathBuf>,
}

/// The text of `--help`.
pub(crate) fn help(parts: &[&str]) -> String {
    format!(
        "Measures Creditscope against PyTorch and matplotlib, in turns.

  CREDITSCOPE_PYTHON=PYTHON cargo bench -p creditscope-benches --bench compare [-- OPTIONS]

  --only LIST     Parts to measure, separated by commas: {}
  --rounds N      Rounds of every part [default: each its own]
  --quick         Few rounds and cases, under three minutes
  --out STEM      Writes STEM.json and the tables of STEM.md [default: docs/benchmarks for a whole
                  comparison; otherwise the report is only printed]
  --program PATH  The program under test [default: target/release/creditscope]

Relative paths start at the root of the repository. CREDITSCOPE_PYTHON names a Python that imports torch, numpy,
matplotlib and safetensors; CREDITSCOPE_DATA the folder with CIFAR-10; CREDITSCOPE_SEEDS the folder of the paper's
figure scripts; CREDITSCOPE_PAPER_TREE the folder with its results.
",
        parts.join(", ")
    )
}

impl Arguments {
    /// Parses the arguments after the program's name; none if help is asked for.
    pub(crate) fn parse(
        mut given: impl Iterator<Item = String>,
        parts: &[&str],
    ) -> Result<Option<Self>, String> {
        let mut found = Self { only: vec![], rounds: None, quick: false, out: None, program: None };
        while let Some(word) = given.next() {
            let mut value = || given.next().ok_or(format!("{word} needs a value; see --help"));
            match word.as_str() {
                // Added by Cargo.
                "--bench" => {}
                "--help" | "-h" => return Ok(None),
                "--quick" => found.quick = true,
                "--only" => found.only = value()?.split(',').map(|part| part.trim().to_owned()).collect(),
                "--rounds" => {
                    let text = value()?;
                    let rounds = text.parse().ok().filter(|&rounds| rounds > 0);
                    found.rounds = Some(rounds.ok_or(format!("--rounds needs a number from 1, not {text}"))?);
                }
                "--out" => found.out = Some(from_root(value()?)),
                "--program" => found.program = Some(from_root(value()?)),
                _ => return Err(format!("there is no option {word}; see --help")),
            }
        }
        if let Some(unknown) = found.only.iter().find(|name| !parts.contains(&name.as_str())) {
            return Err(format!("--only {unknown}: the parts are {}", parts.join(", ")));
        }
        // Some parts, or other rounds, do not replace the report of a whole comparison unless `--out` asks for it.
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

/// A path relative to the root of the repository: Cargo starts benches in the folder of their package.
pub(crate) fn from_root(path: impl AsRef<Path>) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).join(path)
}
