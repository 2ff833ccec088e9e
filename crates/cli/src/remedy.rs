//! Remedies of the libraries as flags and commands of this program: the only place that knows both.

use record::Remedy;
use std::fmt::Display;

/// A message, with the flags that its remedies ask for.
pub(crate) fn with_flags(message: impl Display, remedies: impl IntoIterator<Item = Remedy>) -> String {
    let flags: Vec<&str> = remedies.into_iter().map(flag).collect();
    if flags.is_empty() { message.to_string() } else { format!("{message} ({})", flags.join(", ")) }
}

/// The flag of a remedy.
pub(crate) fn flag(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::GiveMeanOver => "--mean-over N",
        Remedy::OmitMeanOver => "--mean-over",
        Remedy::GiveAccuracy => "--accuracy X",
        Remedy::GiveFrozenAccuracy => "--frozen-accuracy X",
        Remedy::Samples => "--samples N",
        Remedy::Draws => "--draws N",
        Remedy::Resume => "--resume",
        Remedy::OtherFolder => "--out DIR",
        Remedy::FewerJobs => "--jobs N",
        Remedy::Published => "--published",
        Remedy::Audit => "creditscope audit",
        Remedy::Template => "creditscope init --all",
        Remedy::PlanSweep => "creditscope sweep",
        Remedy::Commands => "--commands",
    }
}

/// What is wrong with a data set, with the command that helps.
pub(crate) fn for_data(error: &data::Error) -> String {
    let advice = match error.remedy() {
        None => return error.to_string(),
        Some(data::Remedy::Locate { name }) => format!(
            "Get it with `creditscope data fetch {name}`, or point CREDITSCOPE_DATA at the folder that holds it"
        ),
        Some(data::Remedy::Fetch { name }) => {
            format!("Get the official files with `creditscope data fetch {name}`")
        }
        Some(data::Remedy::Import { name }) => format!(
            "Try again later, or get the file from elsewhere and run `creditscope data fetch {name} --from FILE`"
        ),
    };
    format!("{error}. {advice}")
}

/// What is wrong with a tracking server, with the flag or the command that helps.
pub(crate) fn for_mlflow(error: &export::mlflow::Error) -> String {
    use export::mlflow::Error;
    let advice = match error {
        Error::Address { .. } => {
            "give the address of one, such as --url http://localhost:5000; `mlflow server` starts one"
        }
        Error::Connection { .. } => "start it with `mlflow server`, or give another address with --url",
        Error::Denied { .. } => "put a token into MLFLOW_TRACKING_TOKEN",
        Error::Status { .. } => "see what the server says, and give the command again: what was sent counts",
        Error::Answer { .. } => "give the address of a tracking server of MLflow with --url",
        Error::Deleted { .. } => "restore it there, or choose another one with --experiment",
    };
    format!("{error}: {advice}")
}

/// What is wrong with a run directory, and what its owner can do.
pub(crate) fn for_run(error: &record::Error) -> String {
    let advice = match error {
        record::Error::Io { source, .. } if source.kind() == std::io::ErrorKind::PermissionDenied => {
            "ask its owner for the right to read it"
        }
        record::Error::Io { .. } | record::Error::Malformed { .. } => {
            "restore the file from a copy, or remove the run directory and train it again"
        }
        record::Error::Schema { .. } | record::Error::NoRuns { .. } => return error.to_string(),
    };
    format!("{error}: {advice}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::CommandFactory;

    const ALL: [Remedy; 14] = [
        Remedy::GiveMeanOver,
        Remedy::OmitMeanOver,
        Remedy::GiveAccuracy,
        Remedy::GiveFrozenAccuracy,
        Remedy::Samples,
        Remedy::Draws,
        Remedy::Resume,
        Remedy::OtherFolder,
        Remedy::FewerJobs,
        Remedy::Published,
        Remedy::Audit,
        Remedy::Template,
        Remedy::PlanSweep,
        Remedy::Commands,
    ];

    #[test]
    fn every_remedy_names_flags_and_commands_that_exist() {
        let program = Args::command();
        let is_command = |word: &str| program.get_subcommands().any(|command| command.get_name() == word);
        let is_flag = |word: &str| {
            let known = |arg: &clap::Arg| arg.get_long() == word.strip_prefix("--");
            let inner =
                |command: &clap::Command| command.get_subcommands().any(|c| c.get_arguments().any(known));
            program.get_subcommands().any(|command| command.get_arguments().any(known) || inner(command))
        };
        for remedy in ALL {
            let words = flag(remedy).split(' ').filter(|word| *word != "creditscope");
            let words: Vec<&str> = words.filter(|word| !matches!(*word, "N" | "X" | "DIR")).collect();
            assert!(
                !words.is_empty() && words.iter().all(|word| is_flag(word) || is_command(word)),
                "{remedy:?}"
            );
        }
    }
}
