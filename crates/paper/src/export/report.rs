//! What an export did, what it could not do, and what that means for each script.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// The outcome of an export. Runs are named by their id, or by their path where two have the same id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Files written, in the order of their names.
    pub written: Vec<PathBuf>,
    /// Runs that are not in a file where they might be expected, and why.
    pub left_out: Vec<(String, String)>,
    /// Runs that are written, and what a reader should know about them.
    pub notes: Vec<(String, String)>,
    /// Keys that written files lack.
    pub gaps: Vec<Gap>,
    /// The paper's scripts, and what each misses in the folder.
    pub missing: Vec<ScriptNeeds>,
}

impl Report {
    /// All of it in words: what came of every run, and what each script will find in `out`.
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
        list("To know about what was written:", &mut together(&self.notes).into_iter());
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

/// Runs of which the same is said are in one line.
fn together(said: &[(String, String)]) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for (run, words) in said {
        match groups.iter_mut().find(|group| group.1 == words) {
            Some((runs, _)) => runs.push(run),
            None => groups.push((vec![run], words)),
        }
    }
    groups.iter().map(|(runs, words)| format!("{}: {words}", runs.join(", "))).collect()
}

/// A key that a written file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Path below the export's folder.
    pub file: String,
    /// Path in the file, such as `42/bp/drift`.
    pub key: String,
    /// The reason.
    pub why: String,
}

/// What a script of the paper finds in the exported folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptNeeds {
    /// Name of the script.
    pub script: &'static str,
    /// What it reads that is not there.
    pub missing: Vec<Missing>,
    /// Files it reads that lay in the folder before and were not written this time.
    pub older: Vec<String>,
    /// What it draws that does not come from files at all.
    pub typed_in: Option<&'static str>,
}

/// Something that a script reads and that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Path below the export's folder.
    pub file: String,
    /// Path in the file; absent where the whole file is.
    pub key: Option<String>,
    /// Whether the script cannot do without it; otherwise it leaves something out of its picture.
    pub required: bool,
    /// The reason, as far as known.
    pub why: String,
}

impl ScriptNeeds {
    /// Whether the script draws its figure, though perhaps not all of it.
    pub fn can_run(&self) -> bool {
        !self.missing.iter().any(|missing| missing.required)
    }
}

impl fmt::Display for ScriptNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.can_run(), self.missing.is_empty()) {
            (true, true) => "can run",
            (true, false) => "can run, and leaves out what is missing",
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
