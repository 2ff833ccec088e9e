//! What a page is made from: runs, their audits as they are kept, figures and words.

use super::pictures;
use crate::commands::audit::{Spell, kept, page_of};
use crate::commands::run::folder;
use crate::commands::{explain, runs};
use crate::failure::Failure;
use crate::remedy::flag;
use data::Folder;
use figures::plot::palette;
use figures::{Records, Request, Sheet, Style, Typesetter};
use lab::Sweep;
use record::audit::Audit;
use record::{Run, escape, find_runs};
use report::audit::View;
use report::html::{ABSENT, Document, Ink, Ramps, RunPart, Word};
use std::path::PathBuf;

/// Everything that the paths hold.
pub(crate) struct Material {
    paths: Vec<PathBuf>,
    pub(super) runs: Vec<Run>,
    pub(super) sweeps: Vec<Sweep>,
    records: Records,
    /// What could not be read.
    pub(super) notes: Vec<String>,
    /// How remedies are spelled.
    pub(super) spell: Spell,
}

impl Material {
    /// Reads runs and judges them, without measuring.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Vec::new();
        let mut notes = Vec::new();
        for run in runs::find(paths)? {
            match run.run {
                Ok(run) => found.push(run),
                Err(problem) => notes.push(format!("Not read: {problem}")),
            }
        }
        if found.is_empty() {
            return Err(Failure::Input(notes.join("\n")));
        }
        let sweeps = kept(&found, folder(None)?)?;
        // A run that is half written keeps nothing else from the page.
        let sound: Vec<PathBuf> = found.iter().map(|run| run.path.clone()).collect();
        let records = paper::records(if notes.is_empty() { paths } else { &sound });
        let records = records.map_err(|e| Failure::Input(e.to_string()))?;
        Ok(Self { paths: paths.to_vec(), runs: found, sweeps, records, notes, spell: flag })
    }

    /// What there is of runs that go on. What cannot be read at this moment is noted on the page and is no error.
    pub(crate) fn so_far(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut notes = Vec::new();
        let mut found = Vec::new();
        for path in paths.iter().filter(|path| !matches!(find_runs(path), Err(record::Error::NoRuns { .. })))
        {
            match runs::find(&[path]) {
                Ok(more) => found.extend(more),
                Err(failure) => notes.extend(failure.message()),
            }
        }
        let mut read = Vec::new();
        for run in found {
            match run.run {
                Ok(run) => read.push(run),
                Err(problem) => notes.push(format!("Not read: {problem}")),
            }
        }
        let sweeps = judged_so_far(&read, &folder(None)?, &mut notes);
        // A file may go while it is read. When all are read again, it is not there.
        let records = paper::records(paths).or_else(|_| paper::records(paths)).unwrap_or_else(|error| {
            notes.extend((!read.is_empty()).then(|| format!("No figures: {error}")));
            Records::default()
        });
        Ok(Self { paths: paths.to_vec(), runs: read, sweeps, records, notes, spell: flag })
    }

    /// The page that a command makes.
    pub(crate) fn document(&self, title: Option<&str>, command: &str) -> Result<Document<'_>, Failure> {
        let style = Style::paper();
        let setter = Typesetter::new(&style.family).map_err(|e| Failure::Input(e.to_string()))?;
        let request = Request { records: self.records.clone(), ..Request::default() };
        let mut sheet = Sheet::default();
        let (pictures, undrawn) = pictures::all(&request, &style, &setter, &mut sheet);
        let runs = self.parts(|run| pictures::course(run, &request, &mut sheet));
        let pages =
            self.sweeps.iter().map(|sweep| (sweep.name(), page_of(sweep, &View::default(), self.spell)));
        Ok(Document {
            title: self.title(title),
            sweeps: pages.collect(),
            pictures,
            definitions: sheet.definitions().to_owned(),
            runs,
            keys: self.keys(),
            inks: self.inks(&request),
            ramps: Ramps {
                signed: palette::SIGNED.iter().map(figures::scene::Colour::css).collect(),
                rising: palette::RISING.iter().map(figures::scene::Colour::css).collect(),
            },
            words: self.words(),
            commands: vec![command.to_owned()],
            notes: self.notes.iter().cloned().chain(undrawn).collect(),
            revision: String::new(),
        })
    }

    pub(super) fn title(&self, asked: Option<&str>) -> String {
        let names: Vec<String> = self.paths.iter().map(|path| escape::path(path)).collect();
        asked.map_or_else(|| format!("Credit in {}", names.join(", ")), str::to_owned)
    }

    /// The recipe keys in which the runs differ, without those that only name a run.
    fn keys(&self) -> Vec<String> {
        let all: Vec<&Run> = self.runs.iter().collect();
        runs::differing(&all).into_iter().filter(|key| *key != "name").map(str::to_owned).collect()
    }

    /// The audit of a run, if it was judged.
    fn audit_of(&self, run: &Run) -> Option<&Audit> {
        let mut audits = self.sweeps.iter().flat_map(|sweep| &sweep.set.audits);
        audits.find(|audit| audit.subject.is_of(&run.record))
    }

    /// Every run with its audit and the keys in which the runs differ; `course` draws its course.
    pub(super) fn parts(&self, mut course: impl FnMut(&Run) -> String) -> Vec<RunPart<'_>> {
        let keys = self.keys();
        let part = |run| {
            let value = |key: &String| (key.clone(), run_key(run, key));
            RunPart {
                run,
                path: escape::path(&run.path),
                audit: self.audit_of(run),
                keys: keys.iter().map(value).collect(),
                course: course(run),
            }
        };
        self.runs.iter().map(part).collect()
    }

    /// The rules of the runs with their colours, in the order of legends.
    fn inks(&self, request: &Request) -> Vec<Ink> {
        let mut rules: Vec<&str> = self.runs.iter().map(|run| run.record.rule.as_str()).collect();
        rules.sort_unstable_by_key(|rule| (record::rules::place(rule), *rule));
        rules.dedup();
        let ink = |rule: &str| Ink {
            rule: rule.to_owned(),
            title: record::rules::title(rule).to_owned(),
            colour: request.look(rule).colour.css(),
        };
        rules.into_iter().map(ink).collect()
    }

    fn words(&self) -> Vec<Word> {
        let rules: Vec<&str> = self.runs.iter().map(|run| run.record.rule.as_str()).collect();
        let word = |(name, meaning)| Word { name, meaning };
        explain::words(&rules).into_iter().map(word).collect()
    }
}

/// Judges runs. One that cannot be judged is noted, and does not keep the others from it.
fn judged_so_far(runs: &[Run], folder: &Folder, notes: &mut Vec<String>) -> Vec<Sweep> {
    if let Ok(sweeps) = kept(runs, folder.clone()) {
        return sweeps;
    }
    let mut sound = Vec::new();
    for run in runs {
        match kept(std::slice::from_ref(run), folder.clone()) {
            Ok(_) => sound.push(run.clone()),
            Err(failure) => notes.push(format!("Not judged: {}: {failure}", run.record.id)),
        }
    }
    kept(&sound, folder.clone()).unwrap_or_else(|failure| {
        notes.push(format!("Not judged: {failure}"));
        Vec::new()
    })
}

/// A value of a recipe without the quotes of TOML.
fn run_key(run: &Run, key: &str) -> String {
    let plain = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    run.key(key).map_or_else(|| ABSENT.to_owned(), plain)
}
