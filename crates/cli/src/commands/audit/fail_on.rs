//! `--fail-on`: exit code 1 where something was found that must not be.

use crate::failure::Failure;
use crate::show;
use record::audit::AuditSet;
use report::audit::{Answer, FailOn, answers};

/// What must never be found, whether it is asked for or not: numbers against something that is not the gradient say nothing.
const ALWAYS: FailOn = FailOn::Reference;

/// Says on standard error what was found, one line per reason, and what could not be answered.
pub(crate) fn check<'a>(
    sets: impl Iterator<Item = &'a AuditSet> + Clone,
    wanted: &[FailOn],
) -> Result<(), Failure> {
    let mut wanted = [&[ALWAYS], wanted].concat();
    wanted.sort();
    wanted.dedup();
    let mut failed = false;
    for answer in wanted.iter().flat_map(|&on| sets.clone().flat_map(move |set| answers(set, on))) {
        match answer {
            Answer::Found(words) => {
                failed = true;
                show::complain!("creditscope: {words}");
            }
            // Silence would read as a pass.
            Answer::Open(words) => show::complain!("creditscope: note: {words}"),
        }
    }
    if failed { Err(Failure::DidNotHold) } else { Ok(()) }
}
