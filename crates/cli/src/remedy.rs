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
        Remedy::Published => "--published",
        Remedy::Audit => "creditscope audit",
        Remedy::Template => "creditscope init --all",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;
    use clap::CommandFactory;

    const ALL: [Remedy; 12] = [
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
    ];

    #[test]
    fn every_remedy_names_flags_and_commands_that_exist() {
        let program = Args::command();
        let is_command = |word: &str| program.get_subcommands().any(|command| command.get_name() == word);
        let is_flag = |word: &str| {
            let known = |arg: &clap::Arg| arg.get_long() == word.strip_prefix("--");
            program.get_subcommands().any(|command| command.get_arguments().any(known))
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
