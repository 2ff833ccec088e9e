//! Signals, for the program itself. Callers of the library handle signals themselves.

use crate::failure::Failure;
use crate::show;
use lab::Interrupt;
use std::io;
use std::sync::Arc;

/// Ask the program to save and leave: Ctrl-C, a request to terminate, a closed terminal, and what a scheduler sends ahead of
/// a time limit or a preemption. They are not told apart.
#[cfg(unix)]
const STOP: [i32; 4] = {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
    [SIGINT, SIGTERM, SIGHUP, SIGUSR1]
};

/// A request to stop that a signal makes. Where nothing is at work that stops in good order, and at the second Ctrl-C,
/// it ends the process with the exit code of an interrupted command. The other signals may come twice, from a shell and the
/// system or from two parts of a scheduler, and do not hurry the work. For `main`, once.
///
/// A file that reaches the size that the system allows no longer ends the process either: the write fails and is reported.
pub fn on_signals() -> Interrupt {
    let interrupt = Interrupt::new();
    if let Err(e) = listen(interrupt.clone()) {
        show::complain!("creditscope: Ctrl-C will stop without saving: {e}");
    }
    interrupt
}

#[cfg(unix)]
fn listen(asked: Interrupt) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGXFSZ};
    use signal_hook::iterator::Signals;
    // Caught, this signal does nothing, and the write that caused it returns an error.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let mut signals = Signals::new(STOP)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if !asked.request() && (signal == SIGINT || !asked.is_heeded()) {
                std::process::exit(Failure::INTERRUPTED.into());
            }
        }
    })?;
    Ok(())
}

/// Elsewhere there is Ctrl-C alone, and nothing to wait on: its flag is looked at.
#[cfg(not(unix))]
fn listen(asked: Interrupt) -> io::Result<()> {
    use std::sync::atomic::{AtomicBool, Ordering};
    let pressed: Arc<AtomicBool> = Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGINT, pressed.clone())?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(50));
            if pressed.swap(false, Ordering::Relaxed) && !asked.request() {
                std::process::exit(Failure::INTERRUPTED.into());
            }
        }
    })?;
    Ok(())
}
