//! Remedies for trouble with data, as commands.

use data::{Error, Remedy};

/// The message of an error with the command that helps.
pub(crate) fn with_remedy(error: &Error) -> String {
    let advice = match error.remedy() {
        None => return error.to_string(),
        Some(Remedy::Locate { name }) => format!(
            "Get it with `creditscope data fetch {name}`, or point CREDITSCOPE_DATA at the folder that holds it"
        ),
        Some(Remedy::Fetch { name }) => {
            format!("Get the official files with `creditscope data fetch {name}`")
        }
        Some(Remedy::Import { name }) => format!(
            "Try again later, or get the file from elsewhere and run `creditscope data fetch {name} --from FILE`"
        ),
    };
    format!("{error}. {advice}")
}
