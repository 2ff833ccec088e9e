//! The progress bars: one a run, on a terminal only.

use crate::args::Verbosity;
use crate::show;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::{Error, Event, Listener, RunSpec};

/// All bars of a command.
pub(crate) struct Progress {
    bars: MultiProgress,
    total: ProgressBar,
    verbosity: Verbosity,
    id_width: usize,
}

impl Progress {
    /// Bars for these runs. They are drawn on standard error if that is a terminal, and hidden else.
    pub(crate) fn new(specs: &[&RunSpec], verbosity: Verbosity) -> Self {
        let target = match verbosity {
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
            _ => ProgressDrawTarget::stderr(),
        };
        let id_width = specs.iter().map(|spec| spec.id.len()).max().unwrap_or(0);
        let bars = MultiProgress::with_draw_target(target);
        let steps = specs.iter().map(|spec| steps(spec)).sum();
        let total = bars.add(ProgressBar::new(steps));
        let style = format!("{{prefix:<{id_width}}} {{bar:16.green/blue}} {{msg}}  {{eta}} left");
        total
            .set_style(ProgressStyle::with_template(&style).expect("a fixed template").progress_chars("━╸─"));
        total.set_prefix("all");
        total.set_message(format!("{} runs", specs.len()));
        if specs.len() < 2 {
            // Its own bar says it all.
            total.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self { bars, total, verbosity, id_width }
    }

    /// Takes the bars off the screen.
    pub(crate) fn clear(&self) {
        self.total.finish_and_clear();
        let _ = self.bars.clear();
    }

    /// Prints lines above the bars, or plainly where there are none.
    pub(crate) fn note(&self) -> impl Fn(&str) + Send + 'static {
        let bars = self.bars.clone();
        move |words| bars.suspend(|| show::complain!("{words}"))
    }

    /// The listener of one run.
    pub(crate) fn listener(&self, spec: &RunSpec) -> Box<dyn Listener> {
        Box::new(Bar {
            bars: self.bars.clone(),
            bar: None,
            test: String::new(),
            steps: steps(spec),
            total: self.total.clone(),
            done: 0,
            verbose: self.verbosity == Verbosity::Verbose,
            id_width: self.id_width,
        })
    }
}

fn steps(spec: &RunSpec) -> u64 {
    spec.last_epoch.saturating_mul(spec.steps() as u64)
}

struct Bar {
    bars: MultiProgress,
    bar: Option<ProgressBar>,
    total: ProgressBar,
    /// Steps that the bar of all runs knows of.
    done: u64,
    test: String,
    steps: u64,
    verbose: bool,
    id_width: usize,
}

impl Bar {
    fn start(&mut self, spec: &RunSpec, done: u64) {
        let bar = self.bars.add(ProgressBar::new(self.steps).with_position(done));
        let template = "{prefix} {bar:16.cyan/blue} {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).expect("a fixed template").progress_chars("━╸─"),
        );
        bar.set_prefix(format!("{:<1$}", spec.id, self.id_width));
        show::tick(&bar);
        // Time left follows what this sitting does, not what earlier ones did.
        bar.reset_eta();
        self.bar = Some(bar);
    }
}

impl Listener for Bar {
    fn on(&mut self, spec: &RunSpec, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::NumericsChanged { from, to } => {
                let words = format!(
                    "creditscope: {}: begun with numerics {from}, goes on with {to}: its bytes are those of neither; its record \
                     says so",
                    spec.id
                );
                self.bars.suspend(|| show::complain!("{words}"));
            }
            Event::Started(position) => {
                self.start(spec, position.t);
                self.total.inc(position.t);
                self.total.reset_eta();
                self.done = position.t;
            }
            Event::Stepped(position) => {
                self.total.inc(position.t - self.done);
                self.done = position.t;
                if let Some(bar) = &self.bar {
                    bar.set_position(position.t);
                    let n = position.tally.samples.max(1) as f64;
                    let loss = position.tally.loss / n;
                    let epoch = position.epoch + 1;
                    bar.set_message(format!("{epoch}/{}  loss {loss:.3}{}", spec.last_epoch, self.test));
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
                        epoch.seconds(),
                        self.id_width
                    );
                    self.bars.suspend(|| show::complain!("{line}"));
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
