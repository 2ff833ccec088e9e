//! Signs of life: while a worker trains, it renews a small file for each of its runs.

use crate::Beat;
use crate::attempt::{Writer, peak_memory};
use lab::{Error, Event, Listener, RunSpec};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The runs under way.
#[derive(Default)]
pub(super) struct Heart {
    runs: Mutex<Vec<Arc<Pulse>>>,
    stopped: Mutex<bool>,
    stops: Condvar,
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

    /// Beats until it is stopped. A sign that cannot be written is missed, no more.
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
            for pulse in runs {
                let beat = Beat { epoch: pulse.epoch.load(Ordering::Relaxed), memory: peak_memory() };
                let _ = pulse.attempt.beat(&beat);
            }
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
pub(super) struct Ear(pub(super) Arc<Pulse>);

impl Listener for Ear {
    fn on(&mut self, _spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::Started(position) => self.0.epoch.store(position.epoch, Ordering::Relaxed),
            Event::Measured(epoch) => self.0.epoch.store(epoch.epoch, Ordering::Relaxed),
            _ => {}
        }
        Ok(())
    }
}
