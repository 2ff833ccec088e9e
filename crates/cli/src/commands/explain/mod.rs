//! `creditscope explain`.
use crate::failure::Failure;
pub(crate) fn run(_topic: Option<&str>) -> Result<(), Failure> {
    Ok(())
}
