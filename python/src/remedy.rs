//! Remedies of the libraries as keywords and calls of Python.

use pyo3::prelude::*;
use record::Remedy;
use std::fmt::Display;

/// A message, with the keywords that its remedies ask for.
pub(crate) fn with_keywords(message: impl Display, remedies: impl IntoIterator<Item = Remedy>) -> String {
    let words: Vec<&str> = remedies.into_iter().map(keyword).collect();
    if words.is_empty() { message.to_string() } else { format!("{message} ({})", words.join(", ")) }
}

/// The keyword or the call of a remedy.
pub(crate) fn keyword(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::GiveMeanOver => "mean_over=N",
        Remedy::OmitMeanOver => "without mean_over=",
        Remedy::GiveAccuracy => "accuracy=X",
        Remedy::GiveFrozenAccuracy => "frozen_accuracy=X",
        Remedy::Samples => "samples=N",
        Remedy::Draws => "draws=N",
        Remedy::Resume => "resume=True",
        Remedy::OtherFolder => "out=DIR",
        Remedy::FewerJobs => "jobs=N",
        Remedy::Published => "published=True",
        Remedy::Audit => "creditscope.audit(runs)",
        Remedy::Template => "creditscope.Recipe.template(all=True)",
        Remedy::PlanSweep => "creditscope sweep, on the command line",
        Remedy::Commands => "--commands, on the command line",
    }
}

/// The keywords and calls that messages ask for, so that a test can hold them against what there is.
#[pyfunction]
pub(crate) fn remedies() -> Vec<&'static str> {
    use Remedy::*;
    let all = [
        GiveMeanOver,
        OmitMeanOver,
        GiveAccuracy,
        GiveFrozenAccuracy,
        Samples,
        Draws,
        Resume,
        OtherFolder,
        FewerJobs,
        Published,
        Audit,
        Template,
    ];
    all.map(keyword).to_vec()
}

/// What is wrong with a data set, with what helps.
pub(crate) fn for_data(error: &data::Error) -> String {
    let name = match error.remedy() {
        None => return error.to_string(),
        Some(
            data::Remedy::Locate { name } | data::Remedy::Fetch { name } | data::Remedy::Import { name },
        ) => name,
    };
    format!(
        "{error}. Get it with `creditscope data fetch {name}` on the command line, or name the folder that holds it (data=DIR)"
    )
}
