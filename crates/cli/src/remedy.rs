//! Remedies of the libraries as flags of this program: the only place that knows both.

use record::Remedy;
use std::fmt::Display;

/// A message, with the flags that its remedy asks for.
pub(crate) fn with_flags(message: impl Display, remedy: Option<Remedy>) -> String {
    match remedy {
        Some(remedy) => format!("{message} ({})", flags(remedy)),
        None => message.to_string(),
    }
}

/// The flags of a remedy.
fn flags(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::GiveMeanOver => "--mean-over N",
        Remedy::OmitMeanOver => "--mean-over",
        Remedy::GiveAccuracy => "--accuracy X",
        Remedy::GiveFrozenAccuracy => "--frozen-accuracy X",
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
        for remedy in
            [Remedy::GiveMeanOver, Remedy::OmitMeanOver, Remedy::GiveAccuracy, Remedy::GiveFrozenAccuracy]
        {
            let flag = flags(remedy).split(' ').next().and_then(|flag| flag.strip_prefix("--"));
            let known = |arg: &clap::Arg| flag.is_some() && arg.get_long() == flag;
            assert!(
                program.get_subcommands().any(|command| command.get_arguments().any(known)),
                "{remedy:?}"
            );
        }
    }
}
