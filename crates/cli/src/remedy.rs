//! Remedies of the libraries as flags of this program: the only place that knows both.

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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::CommandFactory;

    #[test]
    fn every_remedy_names_a_flag_that_exists() {
        let program = Args::command();
        for remedy in [
            Remedy::GiveMeanOver,
            Remedy::OmitMeanOver,
            Remedy::GiveAccuracy,
            Remedy::GiveFrozenAccuracy,
            Remedy::Samples,
            Remedy::Draws,
            Remedy::Resume,
            Remedy::OtherFolder,
            Remedy::FewerJobs,
        ] {
            let flag = flag(remedy).split(' ').next().and_then(|flag| flag.strip_prefix("--"));
            let known = |arg: &clap::Arg| flag.is_some() && arg.get_long() == flag;
            assert!(
                program.get_subcommands().any(|command| command.get_arguments().any(known)),
                "{remedy:?}"
            );
        }
    }
}
