//! The report of an export: what was written, what was not, and what each script will find.

use protocol::gathered;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// The outcome of an export. Runs are named by id, or by path where two share an id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Sorted by name.
    pub written: Vec<PathBuf>,
    /// Runs missing from a file where they might be expected, and why.
    pub left_out: Vec<(String, String)>,
    /// Caveats about runs that were written.
    pub notes: Vec<(String, String)>,
    /// Keys that written files lack.
    pub gaps: Vec<Gap>,
    /// The paper's scripts, and what each misses in the folder.
    pub missing: Vec<ScriptNeeds>,
}

impl Report {
    /// The report in words, for an export into `out`.
    pub fn text(&self, out: &Path) -> String {
        let mut text = String::new();
        let mut list = |title: &str, lines: &mut dyn Iterator<Item = String>| {
            let lines: String = lines.map(|line| format!("  {line}\n")).collect();
            if !lines.is_empty() {
                let _ = write!(text, "{title}\n{lines}\n");
            }
        };
        list("Written:", &mut self.written.iter().map(|path| path.display().to_string()));
        list("Left out:", &mut together(&self.left_out).into_iter());
        list("Notes on what was written:", &mut together(&self.notes).into_iter());
        let gaps = self.gaps.iter().map(|gap| format!("{} in {}: {}", gap.key, gap.file, gap.why));
        list("Keys that the written files lack:", &mut { gaps });
        if !self.written.is_empty() {
            let _ = writeln!(text, "The paper's scripts, run in {}:", out.display());
            for needs in &self.missing {
                needs.to_string().lines().for_each(|line| text.push_str(&format!("  {line}\n")));
            }
        }
        text
    }
}

/// One line per distinct text, with all runs that it is about.
fn together(said: &[(String, String)]) -> Vec<String> {
    let groups = gathered(said.iter().map(|(run, words)| (words, run.as_str())));
    groups.iter().map(|(words, runs)| format!("{}: {words}", runs.join(", "))).collect()
}

/// A key that a written file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say the rest")]
pub struct Gap {
    /// Path below the export's folder.
    pub file: String,
    /// Path in the file, such as `42/bp/drift`.
    pub key: String,
    pub why: String,
}

/// What a script of the paper finds in the exported folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptNeeds {
    /// File name of the script.
    pub script: &'static str,
    /// What it reads and does not find.
    pub missing: Vec<Missing>,
    /// Files it reads that are left from an earlier export.
    pub older: Vec<String>,
    /// Numbers that it does not read from files at all.
    pub typed_in: Option<&'static str>,
}

/// Something that a script reads and does not find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Path below the export's folder.
    pub file: String,
    /// Path in the file; `None` if the whole file is missing.
    pub key: Option<String>,
    /// Whether the script stops without it; otherwise it only leaves something out of its figure.
    pub required: bool,
    /// The reason, if known.
    pub why: String,
}

impl ScriptNeeds {
    /// Whether the script draws its figure, perhaps with parts missing.
    pub fn can_run(&self) -> bool {
        !self.missing.iter().any(|missing| missing.required)
    }
}

impl fmt::Display for ScriptNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.can_run(), self.missing.is_empty()) {
            (true, true) => "can run",
            (true, false) => "can run, but leaves out what is missing",
            (false, _) => "cannot run",
        };
        write!(f, "{}: {verdict}", self.script)?;
        for missing in &self.missing {
            write!(f, "\n  {missing}")?;
        }
        for file in &self.older {
            write!(f, "\n  reads {file}, which was there before this export")?;
        }
        self.typed_in.map_or(Ok(()), |what| write!(f, "\n  {what}"))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.required { "misses" } else { "would also read" };
        match &self.key {
            Some(key) => write!(f, "{kind} {key} in {}: {}", self.file, self.why),
            None => write!(f, "{kind} {}: {}", self.file, self.why),
        }
    }
}
