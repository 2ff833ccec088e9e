//! Ctrl-C, for the program itself. Callers of the library handle signals themselves.

use crate::failure::Failure;
use crate::show;
use lab::Interrupt;

/// A request to stop that Ctrl-C, or a request to terminate, makes. Where nothing is at work that stops in good order, and at the
/// second time, it ends the process with the exit code of an interrupted command. For `main`, once.
pub fn on_ctrl_c() -> Interrupt {
    let interrupt = Interrupt::new();
    let asked = interrupt.clone();
    let handler = move || {
        if !asked.request() {
            std::process::exit(Failure::INTERRUPTED.into());
        }
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        show::complain!("creditscope: Ctrl-C will stop without saving: {e}");
    }
    interrupt
}
