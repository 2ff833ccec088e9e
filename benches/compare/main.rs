//! Creditscope against PyTorch and matplotlib, in turns: `cargo bench -p creditscope-benches --bench compare -- --help`.
//!
//! Other work on a machine slows both sides, but not at the same moment. So the sides take turns within each round, the
//! order rotates from round to round, and best, median and spread are shown. A ratio above 1 means that ours is faster.

mod arguments;
mod audit;
mod bench;
mod child;
mod epoch;
mod family;
mod figures;
mod machine;
mod neighbours;
mod ours;
mod print;
mod process;
mod startup;
mod step;
mod sweep;
mod turns;
mod write;

use arguments::Arguments;
use bench::Bench;
use creditscope_benches::section::Section;
use machine::Machine;
use neighbours::Ticks;
use std::process::ExitCode;

/// Measures a part; a section without measurements states why.
type Measure = fn(&Bench) -> Vec<Section>;

/// Every part of the comparison, in the order of the report.
const PARTS: [(&str, Measure); 7] = [
    ("step", step::measure),
    ("family", family::measure),
    ("epoch", epoch::measure),
    ("sweep", sweep::measure),
    ("audit", audit::measure),
    ("figures", figures::measure),
    ("startup", startup::measure),
];

fn main() -> ExitCode {
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("compare: {message}");
            ExitCode::from(2)
        }
    }
}

fn compare() -> Result<(), String> {
    let names = PARTS.map(|(name, _)| name);
    let Some(arguments) = Arguments::parse(std::env::args().skip(1), &names)? else {
        print!("{}", arguments::help(&names));
        return Ok(());
    };
    let bench = Bench::prepare(&arguments)?;
    let machine = Machine::look(&bench)?;
    println!("{}\n", machine.lines().join("\n"));
    let mut sections = Vec::new();
    for (name, measure) in PARTS.into_iter().filter(|(name, _)| arguments.wants(name)) {
        eprintln!("{name} …");
        let before = Ticks::now();
        let mut measured = measure(&bench);
        if let Some(warning) = before.and_then(Ticks::disturbance) {
            measured.iter_mut().for_each(|section| section.notes.push(warning.clone()));
        }
        measured.iter().for_each(|section| println!("{}", print::section(section)));
        sections.extend(measured);
    }
    match &arguments.out {
        Some(out) => write::report(out, &machine, &sections, &arguments),
        None => {
            println!(
                "Nothing was written: give --out; only a whole comparison goes to docs/benchmarks by default."
            );
            Ok(())
        }
    }
}
