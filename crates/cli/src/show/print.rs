//! Standard output and standard error, which may be closed or full.

use crate::failure::Failure;
use std::cell::RefCell;
use std::io::Write;

/// Prints a line to standard error. If it was closed, the error is ignored, so that training continues.
macro_rules! complain {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}
pub(crate) use complain;

thread_local! {
    /// Why something could not be printed since [`printed`] was last asked.
    static UNPRINTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints to standard output. A closed pipe, as `head` leaves, is no fault; a full disk is, which [`printed`] reports.
pub(crate) fn print(text: &str) {
    let mut stdout = std::io::stdout();
    if let Err(e) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        UNPRINTED.with_borrow_mut(|unprinted| *unprinted = Some(e.to_string()));
    }
}

/// Whether all that was to be printed was.
pub(crate) fn printed() -> Result<(), Failure> {
    match UNPRINTED.take() {
        None => Ok(()),
        Some(e) => Err(Failure::Input(format!("cannot write to standard output: {e}"))),
    }
}
