//! `creditscope export mlflow`.

use super::material::Material;
use crate::args::Verbosity;
use crate::commands::audit::kept;
use crate::commands::run::{folder, plural};
use crate::failure::Failure;
use crate::show;
use export::mlflow::{self, Server};
use export::named;
use lab::Sweep;
use record::Run;
use std::path::PathBuf;
use std::time::Duration;

/// How long a server may be silent.
const STALL: Duration = Duration::from_secs(60);

/// Sends runs with their verdicts.
pub(super) fn send(
    paths: &[PathBuf],
    url: Option<&str>,
    experiment: &str,
    verbosity: Verbosity,
) -> Result<(), Failure> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let url = url.map(str::to_owned).or_else(|| set("MLFLOW_TRACKING_URI")).ok_or_else(|| {
        Failure::Input(
            "no server is named: give its address with --url, or in MLFLOW_TRACKING_URI".to_owned(),
        )
    })?;
    let server = Server::new(data::client(&url, STALL), &url, set("MLFLOW_TRACKING_TOKEN"))?;
    let material = Material::read(paths)?;
    let sweeps = kept(&material.runs, folder(None)?)?;
    let runs = named(&material.runs);
    let bar = show::bar("sending", runs.len(), verbosity);
    let sent = mlflow::send(
        &server,
        experiment,
        &runs,
        |run| verdict(&sweeps, run),
        |name| {
            bar.set_message(name.to_owned());
            bar.inc(1);
        },
    );
    bar.finish_and_clear();
    let sent = sent?;
    if verbosity > Verbosity::Quiet {
        let sum = format!(
            "{}: {} new, {} continued, {} there already.\n",
            plural(runs.len()),
            sent.new,
            sent.continued,
            sent.there
        );
        show::print(&(sum + &format!("Look at them:  {}\n", sent.page)));
    }
    material.whole()
}

/// The verdict on a run, if it was judged.
fn verdict(sweeps: &[Sweep], run: &Run) -> Option<String> {
    let mut audits = sweeps.iter().flat_map(|sweep| &sweep.set.audits);
    audits.find(|audit| audit.subject.is_of(&run.record)).map(|audit| audit.verdict.words())
}
