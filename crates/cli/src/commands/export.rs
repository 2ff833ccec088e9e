use crate::args::Export;
use crate::failure::Failure;
pub(crate) fn run(_: &Export) -> Result<(), Failure> {
    Ok(())
}
