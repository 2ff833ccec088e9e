//! The extension module `creditscope._core`: the program's crates for Python. It converts and passes on; what is computed,
//! judged and written is decided in the crates, and how it is offered in `creditscope/*.py`.

mod attend;
mod audit;
mod columns;
mod fault;
mod figure;
mod judged;
mod measurement;
mod program;
mod recipe;
mod remedy;
mod report;
mod rule;
mod runs;
mod train;
mod watch;

/// The extension module.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::audit::{audit_arrays, audit_files, audit_runs};
    #[pymodule_export]
    use crate::figure::{draw, figures};
    #[pymodule_export]
    use crate::judged::Judged;
    #[pymodule_export]
    use crate::measurement::{Measurement, orders_of};
    #[pymodule_export]
    use crate::program::run_program;
    #[pymodule_export]
    use crate::recipe::{Recipe, template};
    #[pymodule_export]
    use crate::remedy::remedies;
    #[pymodule_export]
    use crate::report::report;
    #[pymodule_export]
    use crate::rule::register_rule;
    #[pymodule_export]
    use crate::runs::{Runs, read_runs};
    #[pymodule_export]
    use crate::train::train;
    #[pymodule_export]
    use crate::watch::Watch;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    // What the protocol is stated for.
    #[pymodule_export]
    const SAMPLES: u64 = protocol::SAMPLES;
    #[pymodule_export]
    const DIRECTIONS: u64 = protocol::DIRECTIONS;
    #[pymodule_export]
    const DRAWS: u64 = protocol::DRAWS;
}
