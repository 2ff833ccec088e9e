//! What `sweep status` tells of a sweep, asked for beside everything else: Slurm may take its time to answer.

use super::pace::Pace;
use crate::commands::sweep::Place;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};
use sweep::{Folder, Kind, Manifest, Planned, Report, RunState, Slurm, survey};

/// How long the first look waits for an answer.
const FIRST: Duration = Duration::from_millis(500);
/// The shortest pause between two looks, where only files are looked at and where Slurm is asked, and the longest.
const FILES: Duration = Duration::from_secs(2);
const SLURM: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_secs(120);
/// A pause is this many times as long as the look before it.
const SHARE: u32 = 200;

/// The sweep of a folder.
pub(super) struct Crew {
    root: PathBuf,
    pub(super) place: Arc<Place>,
    /// The last answer, and when it was asked for.
    pub(super) found: Option<(SystemTime, Report)>,
    /// Why there is no newer answer.
    pub(super) problem: Option<String>,
    pace: Pace,
    under_way: Option<(SystemTime, Receiver<Answer>)>,
}

/// What a look found, and when it had found it: nobody may come for it for a long time.
struct Answer {
    report: Result<Report, String>,
    ended: Instant,
    took: Duration,
}

impl Crew {
    /// The sweep of a folder, if it is one.
    pub(super) fn of(root: &Path) -> Option<Result<Self, String>> {
        let folder = Folder::at(root).ok()?;
        if !folder.manifest().is_file() {
            return None;
        }
        let manifest = Manifest::read(&folder);
        let of = |manifest| Self {
            root: root.to_owned(),
            place: Arc::new(Place::new(root.to_owned(), folder, manifest)),
            found: None,
            problem: None,
            pace: Pace::new(SHARE, FILES, LONGEST),
            under_way: None,
        };
        Some(manifest.map(of).map_err(|e| e.to_string()))
    }

    /// The runs of the plan, each with its directory, in the order of the plan.
    pub(super) fn planned(&self) -> impl Iterator<Item = (PathBuf, &Planned)> {
        self.place.manifest.runs.iter().map(|run| (self.root.join(&run.id), run))
    }

    /// What was told of the run at this place of the plan, and when that was asked for.
    pub(super) fn told(&self, index: usize) -> Option<(SystemTime, &RunState)> {
        let (asked, report) = self.found.as_ref()?;
        Some((*asked, report.runs.get(index)?))
    }

    /// Begins to ask when it is time, and takes what was answered.
    pub(super) fn look(&mut self) {
        if self.under_way.is_none() && self.pace.is_due() {
            self.ask();
        }
        let wait = if self.found.is_none() && self.problem.is_none() { FIRST } else { Duration::ZERO };
        let Some((asked, answers)) = &self.under_way else { return };
        let asked = *asked;
        let Answer { report: answer, ended, took } = match answers.recv_timeout(wait) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => Answer {
                report: Err("the state of the sweep could not be found out".to_owned()),
                ended: Instant::now(),
                took: LONGEST,
            },
        };
        self.under_way = None;
        let of_slurm = |report: &Report| report.submissions.iter().any(|given| given.kind == Kind::Slurm);
        let slurm = answer.as_ref().is_ok_and(|report| of_slurm(report) && !report.all_done());
        self.pace.rest(ended, if slurm { took.max(SLURM / SHARE) } else { took });
        match answer {
            Ok(report) => {
                self.found = Some((asked, report));
                self.problem = None;
            }
            Err(words) => self.problem = Some(words),
        }
    }

    fn ask(&mut self) {
        let (sender, answers) = channel();
        let place = self.place.clone();
        let look = move || {
            let begun = Instant::now();
            let report = survey(&place.folder, &place.manifest, &Slurm::default()).map_err(|e| e.to_string());
            // Nobody waits for it where the program ends.
            let _ = sender.send(Answer { report, ended: Instant::now(), took: begun.elapsed() });
        };
        if std::thread::Builder::new().name("survey".to_owned()).spawn(look).is_ok() {
            self.under_way = Some((SystemTime::now(), answers));
        }
    }
}
