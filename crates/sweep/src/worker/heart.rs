//! Signs of life: while a worker trains, it renews a small file for each of its runs. A thread of its own does so, since an epoch
//! may take longer than others wait for a sign; where the system gives none, a sign comes at the end of an epoch, which is late
//! only where epochs are long.

use crate::Beat;
use crate::attempt::{Writer, peak_memory};
use lab::{Error, Event, Listener, RunSpec};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The runs under way.
#[derive(Default)]
pub(super) struct Heart {
    runs: Mutex<Vec<Arc<Pulse>>>,
    stopped: Mutex<bool>,
    stops: Condvar,
    /// The least time between two signs, where they come with the epochs.
    with_epochs: OnceLock<Duration>,
}

/// A run under way.
pub(super) struct Pulse {
    attempt: Writer,
    epoch: AtomicU64,
}

impl Pulse {
    pub(super) fn attempt(&self) -> &Writer {
        &self.attempt
    }

    /// A sign that cannot be written is missed, no more.
    fn beat(&self) {
        let beat = Beat { epoch: self.epoch.load(Ordering::Relaxed), memory: peak_memory() };
        let _ = self.attempt.beat(&beat);
    }
}

impl Heart {
    /// Takes a run on, until [`Heart::let_go`].
    pub(super) fn take(&self, attempt: Writer) -> Arc<Pulse> {
        let pulse = Arc::new(Pulse { attempt, epoch: AtomicU64::new(0) });
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).push(pulse.clone());
        pulse
    }

    pub(super) fn let_go(&self, pulse: &Arc<Pulse>) {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, pulse));
    }

    /// What hears of a run's epochs.
    pub(super) fn ear(&self, pulse: Arc<Pulse>) -> Ear {
        Ear { pulse, beats: self.with_epochs.get().copied(), last: Instant::now() }
    }

    /// Leaves the signs to the ears of runs that are taken on from now.
    pub(super) fn beat_with_epochs(&self, every: Duration) {
        // Set before the first run is taken on, once.
        let _ = self.with_epochs.set(every);
    }

    /// Beats until it is stopped.
    pub(super) fn beat(&self, every: Duration) {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let wait = self.stops.wait_timeout_while(stopped, every, |stopped| !*stopped);
            let (guard, waited) = wait.unwrap_or_else(PoisonError::into_inner);
            if !waited.timed_out() {
                return;
            }
            drop(guard);
            let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner).clone();
            runs.iter().for_each(|pulse| pulse.beat());
            stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stops.notify_all();
    }
}

/// Stops the heart also where a worker panics: its beat would be waited for without end.
pub(super) struct Stopper<'a>(pub(super) &'a Heart);

impl Drop for Stopper<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Notes how far a run is.
pub(super) struct Ear {
    pulse: Arc<Pulse>,
    beats: Option<Duration>,
    last: Instant,
}

impl Listener for Ear {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        let epoch = match event {
            Event::Started(position) => position.epoch,
            Event::Measured(epoch) => epoch.epoch,
            _ => return Ok(()),
        };
        self.pulse.epoch.store(epoch, Ordering::Relaxed);
        if self.beats.is_some_and(|every| self.last.elapsed() >= every) {
            self.pulse.beat();
            self.last = Instant::now();
        }
        Ok(())
    }
}
