//! Work of the crates in a thread of its own, while the calling thread keeps answering Python.

use crate::fault::Fault;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a Ctrl-C, or a word about progress, may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does the work without the GIL. `meanwhile` is called while it goes on, and once when it is done; its first error, such as a
/// Ctrl-C, is returned as soon as `stop` says so: at once, or when the work has come to its end.
pub(crate) fn attended<T: Send + 'static>(
    py: Python<'_>,
    stop: Stop,
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
    mut meanwhile: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<(T, Option<PyErr>)> {
    let (send, done) = mpsc::channel();
    // Only this thread receives; the lock says so to the compiler.
    let done = Mutex::new(done);
    std::thread::spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(work));
        // The receiver is gone if the caller did not wait.
        let _ = send.send(outcome.unwrap_or_else(|panic| Err(Fault::internal(said(&*panic)))));
    });
    let mut refusal = None;
    loop {
        let outcome =
            py.detach(|| done.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE));
        let now = py.check_signals().and_then(|()| meanwhile(py));
        if let Err(error) = now
            && refusal.is_none()
        {
            match &stop {
                Stop::Abandon => return Err(error),
                Stop::Request(interrupt) => interrupt.request(),
            };
            refusal = Some(error);
        }
        match outcome {
            Ok(outcome) => return Ok((outcome?, refusal)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Fault::internal("a thread was lost").into()),
        }
    }
}

/// What becomes of the work when the caller is interrupted.
pub(crate) enum Stop {
    /// It goes on by itself, and nobody waits for it.
    Abandon,
    /// It is asked to stop, and waited for.
    Request(lab::Interrupt),
}

/// The words of a panic.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("a fault of the program: {}", words.unwrap_or("no words"))
}
