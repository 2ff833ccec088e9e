//! Stops training from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A request to stop cleanly: a run stops at the end of its step and saves. Clones share the request.
///
/// ```
/// let interrupt = lab::Interrupt::new();
/// assert!(!interrupt.clone().request(), "there is no work to stop");
/// let interrupt = lab::Interrupt::new();
/// let guard = interrupt.on_request(|| println!("stopping"));
/// assert!(interrupt.request() && interrupt.requested());
/// assert!(!interrupt.request(), "the second request does not wait");
/// assert!(interrupt.is_heeded(), "but the work is still about to stop");
/// drop(guard);
/// assert!(!interrupt.is_heeded());
/// ```
#[derive(Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    requested: AtomicBool,
    /// Called at the first request, while there is work that will stop.
    note: Mutex<Option<Note>>,
}

type Note = Box<dyn Fn() + Send>;

impl Interrupt {
    /// Without a request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop. False if nothing will stop: there is no work, or this is not the first request.
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

    /// Whether there is work that stops on request.
    pub fn is_heeded(&self) -> bool {
        self.0.note.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Announces work that stops on request, until the guard is dropped; `note` is called at the first request.
    #[must_use = "dropping the guard ends the announcement"]
    pub fn on_request(&self, note: impl Fn() + Send + 'static) -> RequestGuard {
        *self.0.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(note));
        RequestGuard(self.clone())
    }
}

/// Announces work that stops on request.
pub struct RequestGuard(Interrupt);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        *self.0.0.note.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
