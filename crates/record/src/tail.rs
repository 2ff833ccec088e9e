//! Follows `metrics.jsonl` while it grows: what was read is not read again.

use crate::log::{self, Place};
use crate::{Epoch, Error, Run, Stamp, bounded};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A log and how far it was read. No file stays open between two looks.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// The file at the last look.
    seen: Option<Stamp>,
    /// What of it was taken in, in whole lines.
    place: Place,
    /// Whether the last look that read something was an error.
    failed: bool,
}

/// What a look found.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Whether the epochs replace those from before: the log was taken over by a resumed run, cut off or removed.
    pub anew: bool,
    /// The epochs that came.
    pub epochs: Vec<Epoch>,
}

impl Tail {
    /// The log of a run directory, of which nothing was read yet.
    pub fn of(directory: &Path) -> Self {
        Self { path: directory.join(Run::METRICS), seen: None, place: Place::default(), failed: false }
    }

    /// When the log was last written, as far as is known.
    pub fn written(&self) -> Option<std::time::SystemTime> {
        Some(self.seen?.modified)
    }

    /// What was added since the last look; none if nothing was. A last line without its end waits until it has one. After an
    /// error what was read counts no more: the log is read anew when it can be, and has changed where it was no log.
    pub fn news(&mut self) -> Result<Option<News>, Error> {
        let found = self.look();
        // Where nothing changed, what was wrong still is.
        self.failed = found.as_ref().map_or(true, |news| news.is_none() && self.failed);
        found
    }

    fn look(&mut self) -> Result<Option<News>, Error> {
        let opened = bounded::open(&self.path).and_then(|file| Ok((Stamp::of_file(&file)?, file)));
        let (now, mut file) = match opened {
            Ok(opened) => opened,
            Err(e) => {
                self.seen = None;
                let known = self.forget();
                let is_gone = e.kind() == ErrorKind::NotFound;
                let news = known.then(|| News { anew: true, epochs: Vec::new() });
                return if is_gone { Ok(news) } else { Err(Error::io("read", &self.path, e)) };
            }
        };
        let before = self.seen.replace(now);
        if before == Some(now) {
            return Ok(None);
        }
        let grew = before.is_some_and(|before| before.same_file(&now)) && now.length >= self.place.bytes;
        let anew = if grew && !self.failed { false } else { self.forget() };
        let epochs = self.more(&mut file, now.length)?;
        Ok((anew || !epochs.is_empty()).then_some(News { anew, epochs }))
    }

    /// Begins at the start of the log again; says whether anything was known of it.
    fn forget(&mut self) -> bool {
        std::mem::take(&mut self.place).bytes > 0 || self.failed
    }

    /// The whole lines between what was read and `length`.
    fn more(&mut self, file: &mut File, length: u64) -> Result<Vec<Epoch>, Error> {
        let at = std::mem::take(&mut self.place);
        let text = lines(file, at.bytes, length).map_err(|source| Error::io("read", &self.path, source))?;
        let epochs = log::epochs(&text, at, &self.path)?;
        self.place = Place { bytes: at.bytes + text.len() as u64, lines: at.lines + epochs.len() };
        Ok(epochs)
    }
}

/// The whole lines of a file in a range of bytes.
fn lines(file: &mut File, from: u64, to: u64) -> io::Result<String> {
    if to > bounded::LOG {
        return Err(io::Error::new(ErrorKind::InvalidData, "it is too long for a log"));
    }
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(to - from).read_to_end(&mut bytes)?;
    bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn line(epoch: u64) -> String {
        format!(
            "{{\"schema\":\"{}\",\"epoch\":{epoch},\"lr\":null,\"train\":null,\"test\":{{\"loss\":1.0,\"accuracy\":0.5}},\
             \"evaluation\":{{\"samples\":1,\"error\":1.0,\"growth\":1.0,\"series\":{{}}}},\
             \"train_seconds\":1.0,\"evaluation_seconds\":0.0}}\n",
            Epoch::SCHEMA
        )
    }

    fn add(path: &Path, text: &str) {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(path).expect("a file");
        file.write_all(text.as_bytes()).expect("written");
    }

    /// Whether the epochs are new ones, and which they are.
    fn seen(tail: &mut Tail) -> Option<(bool, Vec<u64>)> {
        let news = tail.news().expect("a log")?;
        Some((news.anew, news.epochs.iter().map(|epoch| epoch.epoch).collect()))
    }

    #[test]
    fn only_what_came_is_told_and_a_torn_line_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(Run::METRICS);
        let mut tail = Tail::of(folder.path());
        assert_eq!(seen(&mut tail), None, "there is no log yet");
        add(&path, &line(0));
        add(&path, &line(1)[..40]);
        assert_eq!(seen(&mut tail), Some((false, vec![0])));
        assert_eq!(seen(&mut tail), None);
        add(&path, &line(1)[40..90]);
        assert_eq!(seen(&mut tail), None);
        add(&path, &(line(1)[90..].to_owned() + &line(2)));
        assert_eq!(seen(&mut tail), Some((false, vec![1, 2])));
    }

    #[test]
    fn a_log_that_is_taken_over_cut_off_or_removed_is_read_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(Run::METRICS);
        let mut tail = Tail::of(folder.path());
        add(&path, &(line(0) + &line(1) + &line(2)));
        assert_eq!(seen(&mut tail), Some((false, vec![0, 1, 2])));
        // As a resumed run does: a new file under the old name.
        let other = folder.path().join("other");
        add(&other, &(line(0) + &line(1)));
        fs::rename(&other, &path).expect("renamed");
        assert_eq!(seen(&mut tail), Some((true, vec![0, 1])));
        add(&path, &line(2));
        assert_eq!(seen(&mut tail), Some((false, vec![2])));
        let file = fs::OpenOptions::new().write(true).open(&path).expect("a file");
        file.set_len(line(0).len() as u64).expect("cut");
        assert_eq!(seen(&mut tail), Some((true, vec![0])));
        fs::remove_file(&path).expect("removed");
        assert_eq!(seen(&mut tail), Some((true, vec![])));
        assert_eq!(seen(&mut tail), None);
    }

    #[test]
    fn what_is_no_log_is_said_once_and_read_again_when_it_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(Run::METRICS);
        let mut tail = Tail::of(folder.path());
        add(&path, &(line(0) + "rubbish\n"));
        let problem = tail.news().expect_err("no log").to_string();
        assert!(problem.contains("line 2"), "{problem}");
        assert_eq!(seen(&mut tail), None);
        fs::write(&path, line(0) + &line(1)).expect("mended");
        assert_eq!(seen(&mut tail), Some((true, vec![0, 1])));
        // What cannot even be opened is tried again, and read whole.
        fs::rename(&path, folder.path().join("aside")).expect("moved");
        fs::create_dir(&path).expect("in its way");
        tail.news().expect_err("a folder");
        fs::remove_dir(&path).expect("removed");
        fs::rename(folder.path().join("aside"), &path).expect("moved back");
        assert_eq!(seen(&mut tail), Some((true, vec![0, 1])));
    }
}
