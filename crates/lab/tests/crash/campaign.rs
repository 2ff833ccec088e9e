//! Crashes everywhere, and what must hold after each.

use crate::power::model::{Tree, crashes, killed};
use crate::power::scratch::{folder, lay_out};
use crate::power::site::Site;
use crate::stage::{History, Outcome, Promise, Task, sit};
use std::collections::BTreeMap;

/// A task, and what comes of it where nothing goes wrong.
pub(crate) struct Campaign {
    pub(crate) task: Task,
    pub(crate) whole: Outcome,
    /// What restarts on a tree came to: the step that each began with, or what was wrong.
    seen: BTreeMap<Tree, Result<Option<u64>, String>>,
}

impl Campaign {
    pub(crate) fn new(task: Task) -> Self {
        let root = folder();
        // To the end, also where the task is to be interrupted first.
        let ending = sit(root.path(), Task { stop_at: None, ..task }, None).ending;
        ending.expect("no trouble").expect("begun");
        let whole = Outcome::read(root.path(), task).expect("a run");
        Self { task, whole, seen: BTreeMap::new() }
    }

    /// Continues on what a crash left: the same result, and no files besides.
    pub(crate) fn restart(&mut self, tree: &Tree) -> Result<Option<u64>, String> {
        if let Some(seen) = self.seen.get(tree) {
            return seen.clone();
        }
        let root = folder();
        lay_out(tree, root.path());
        let sitting = sit(root.path(), Task { stop_at: None, ..self.task }, None);
        let verdict = match sitting.ending {
            Err(refusal) => Err(format!("refused: {refusal}")),
            Ok(_) => Outcome::read(root.path(), self.task).and_then(|outcome| {
                if outcome == self.whole { Ok(sitting.started) } else { Err("another result".to_owned()) }
            }),
        };
        self.seen.insert(tree.clone(), verdict.clone());
        verdict
    }

    /// Whether a tree is as good as what was promised before the crash.
    fn judge(&mut self, tree: &Tree, promised: &[&Promise]) -> Result<(), String> {
        let started = self.restart(tree)?;
        for promise in promised {
            let kept = match (promise, started) {
                (_, None) => true,
                (Promise::Saved(t), Some(started)) => started >= *t,
                (Promise::Over, Some(_)) => false,
            };
            if !kept {
                return Err(format!("{promise:?} was lost: it went on from step {started:?}"));
            }
        }
        Ok(())
    }

    /// Power fails after each change from `first` on. The number of states tried, or the first that fails.
    pub(crate) fn power_fails(
        &mut self,
        history: &History,
        first: usize,
        without: Option<Site>,
    ) -> Result<usize, String> {
        let mut states = 0;
        for ops in first..=history.ops.len() {
            let promised = history.promised(ops);
            for tree in crashes(&history.ops[..ops], &Site::leaves_out(without)) {
                states += 1;
                self.judge(&tree, &promised).map_err(|problem| {
                    let names: Vec<_> = tree.keys().map(|path| path.display().to_string()).collect();
                    let last = ops.checked_sub(1).map(|last| &history.ops[last]);
                    format!("after change {ops} ({last:?}), with {names:?}: {problem}")
                })?;
            }
        }
        Ok(states)
    }

    /// The program is killed after so many changes and continues; power may fail after that.
    pub(crate) fn killed_and_continued(&self, history: &History, ops: usize) -> History {
        let root = folder();
        lay_out(&killed(&history.ops[..ops]), root.path());
        let next = sit(root.path(), Task { stop_at: None, ..self.task }, None);
        next.ending.expect("a kill is no trouble");
        history.then(ops, next.history)
    }

    /// How many different states were restarted from.
    pub(crate) fn restarts(&self) -> usize {
        self.seen.len()
    }
}
