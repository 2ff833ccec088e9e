//! The progress bars: one a run, on a terminal only.

use crate::args::Verbosity;
use crate::show;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::{Error, Event, Listener, RunSpec};
use std::time::Duration;

/// All bars of a command.
pub(crate) struct Progress {
    bars: MultiProgress,
    verbosity: Verbosity,
    id_width: usize,
}

impl Progress {
    /// Bars for these runs. They are drawn on standard error if that is a terminal, and hidden else.
    pub(crate) fn new(specs: &[RunSpec], verbosity: Verbosity) -> Self {
        let target = match verbosity {
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
            _ => ProgressDrawTarget::stderr(),
        };
        let id_width = specs.iter().map(|spec| spec.id.len()).max().unwrap_or(0);
        Self { bars: MultiProgress::with_draw_target(target), verbosity, id_width }
    }

    /// The listener of one run.
    pub(crate) fn listener(&self, spec: &RunSpec) -> Box<dyn Listener> {
        Box::new(Bar {
            bars: self.bars.clone(),
            bar: None,
            test: String::new(),
            steps: spec.last_epoch * spec.steps() as u64,
            verbose: self.verbosity == Verbosity::Verbose,
            id_width: self.id_width,
        })
    }
}

struct Bar {
    bars: MultiProgress,
    bar: Option<ProgressBar>,
    test: String,
    steps: u64,
    verbose: bool,
    id_width: usize,
}

impl Bar {
    fn start(&mut self, spec: &RunSpec, done: u64) {
        let bar = self.bars.add(ProgressBar::new(self.steps).with_position(done));
        let template = "{prefix} {bar:24.cyan/blue} {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).expect("a fixed template").progress_chars("━╸─"),
        );
        bar.set_prefix(format!("{:<1$}", spec.id, self.id_width));
        bar.enable_steady_tick(Duration::from_millis(250));
        // Time left follows what this sitting does, not what earlier ones did.
        bar.reset_eta();
        self.bar = Some(bar);
    }
}

impl Listener for Bar {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::Started(position) => self.start(spec, position.t),
            Event::Stepped(position) => {
                if let Some(bar) = &self.bar {
                    bar.set_position(position.t);
                    let n = position.tally.samples.max(1) as f64;
                    let loss = position.tally.loss / n;
                    let epoch = position.epoch + 1;
                    bar.set_message(format!(
                        "epoch {epoch}/{}  loss {loss:.3}{}",
                        spec.last_epoch, self.test
                    ));
                }
            }
            Event::Measured(epoch) => {
                self.test = format!("  test {}", show::share(epoch.test.accuracy));
                if self.verbose {
                    let growth = show::scientific(epoch.evaluation.growth);
                    let line = format!(
                        "{:<4$}  epoch {:>4}  test {}  growth {growth}  {:.1} s",
                        spec.id,
                        epoch.epoch,
                        show::share(epoch.test.accuracy),
                        epoch.train_seconds + epoch.evaluation_seconds,
                        self.id_width
                    );
                    self.bars.suspend(|| eprintln!("{line}"));
                }
            }
            Event::AtRest { .. } => {}
            Event::Ended { .. } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
        }
        Ok(())
    }
}
