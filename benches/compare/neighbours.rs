//! How much of the cores other processes took while a part was measured.
//!
//! Threads that wait for each other slow down a lot if one of them has to share its core, so a busy machine does not slow
//! both sides equally. The report has to mention it.

/// Processor time so far, in ticks of the kernel's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks {
    /// All cores, idle or not.
    all: f64,
    /// All cores, while busy.
    busy: f64,
    /// This process and its children that have ended.
    own: f64,
}

/// Shares below this are normal background work.
const QUIET: f64 = 0.05;

impl Ticks {
    /// Now; none if the system does not report it.
    pub(crate) fn now() -> Option<Self> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        // User, nice, system, idle, waiting for a disk, interrupts, soft interrupts, taken by other guests.
        let cores: Vec<f64> = numbers(stat.lines().next()?.strip_prefix("cpu")?).take(8).collect();
        let all: f64 = cores.iter().sum();
        let idle: f64 = cores.get(3..5)?.iter().sum();
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the process ends with the last parenthesis and may contain anything. After it, fields 11 to 14 are
        // the time of the process and its children, in user and kernel mode.
        let fields = own.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
        let own = fields.filter_map(|field| field.parse::<f64>().ok()).sum();
        Some(Self { all, busy: all - idle, own })
    }

    /// A warning if others took more than a little since then.
    pub(crate) fn disturbance(self) -> Option<String> {
        let now = Self::now()?;
        let share = ((now.busy - self.busy) - (now.own - self.own)) / (now.all - self.all);
        (share > QUIET).then(|| {
            format!(
                "OTHER WORK took {:.0} % of the cores meanwhile: measure again on an idle machine before quoting this.",
                100.0 * share
            )
        })
    }
}

fn numbers(text: &str) -> impl Iterator<Item = f64> {
    text.split_whitespace().filter_map(|field| field.parse().ok())
}
