//! How the world may stop training.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A request to stop in good order: a run stops at the end of its step, and saves. Clones are the same request.
///
/// ```
/// let interrupt = lab::Interrupt::new();
/// assert!(!interrupt.clone().request(), "nobody is at work");
/// let interrupt = lab::Interrupt::new();
/// let at_work = interrupt.heed(|| println!("stopping"));
/// assert!(interrupt.request() && interrupt.requested());
/// assert!(!interrupt.request(), "the second one is not waited for");
/// # drop(at_work);
/// ```
#[derive(Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    requested: AtomicBool,
    /// What is called at the first request, while there is work that will stop.
    note: Mutex<Option<Note>>,
}

type Note = Box<dyn Fn() + Send>;

impl Interrupt {
    /// Nobody has asked yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop. False where nothing will: no work heeds it, or it was asked before.
    pub fn request(&self) -> bool {
        let before = self.0.requested.swap(true, Ordering::SeqCst);
        let note = self.0.note.lock().unwrap_or_else(PoisonError::into_inner);
        match note.as_ref() {
            Some(note) if !before => {
                note();
                true
            }
            _ => false,
        }
    }

    /// Whether a stop was requested.
    pub fn requested(&self) -> bool {
        self.0.requested.load(Ordering::Relaxed)
    }

    /// Says that a request is heeded as long as the guard lives; `note` is called at the first one.
    #[must_use = "a request is heeded only as long as this lives"]
    pub fn heed(&self, note: impl Fn() + Send + 'static) -> Heeding {
        *self.0.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(note));
        Heeding(self.clone())
    }
}

/// Somebody is at work who stops on request.
pub struct Heeding(Interrupt);

impl Drop for Heeding {
    fn drop(&mut self) {
        *self.0.0.note.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
