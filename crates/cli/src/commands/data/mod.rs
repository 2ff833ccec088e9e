//! `creditscope data`.

mod bar;
mod fetch;
mod list;
mod verify;

use crate::args::{Data, DataAction};
use crate::call::Call;
use crate::commands::run::folder;
use crate::failure::Failure;

pub(crate) fn run(args: &Data, call: Call<'_>) -> Result<(), Failure> {
    let folder = folder(args.data.as_deref())?;
    // Commands that the output proposes have to look into the same folder.
    let flag = args.data.as_ref().map(|path| format!(" --data {}", path.display())).unwrap_or_default();
    match &args.action {
        DataAction::List => list::list(&folder, &flag),
        DataAction::Verify { name } => verify::verify(name.as_deref(), &folder, &flag, call.verbosity),
        DataAction::Fetch { name, from, mirror, stall } => {
            let wish = fetch::Wish { name, from: from.as_deref(), mirror: mirror.as_deref(), stall: *stall };
            fetch::fetch(&wish, &folder, call)
        }
    }
}
