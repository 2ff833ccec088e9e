//! The program `creditscope`.

fn main() -> std::process::ExitCode {
    let interrupt = creditscope_cli::on_signals();
    creditscope_cli::run(std::env::args_os(), &interrupt).into()
}
