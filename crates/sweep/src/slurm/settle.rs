//! What the controller says of a job that the queue does not list.
//!
//! A list without a job is no statement about it: a controller that has just started, a broken wrapper or a filter in somebody's
//! environment also gives an empty list and says that all is well. Only two answers settle that nobody is at work: the
//! controller shows the job, every element of it over, or it says that it knows no such job.

use super::Slurm;
use super::command::unknown_job;
use crate::Error;

impl Slurm {
    /// Whether the controller says that a job is over, or that there is none of this number.
    pub(super) fn settles(&self, job: u64) -> Result<bool, Error> {
        match self.ask("scontrol", &["--oneliner", "show", "job", &job.to_string()]) {
            Ok(text) => Ok(all_over(&text)),
            Err(Error::Refused { message, .. }) if unknown_job(&message) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

/// Whether a state is one that a job does not leave by itself.
pub(super) fn is_over(state: &str) -> bool {
    const OVER: [&str; 10] = [
        "BOOT_FAIL",
        "CANCELLED",
        "COMPLETED",
        "DEADLINE",
        "FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "REVOKED",
        "TIMEOUT",
    ];
    OVER.contains(&state)
}

/// Whether the controller shows elements, a line for each, and all of them are over.
fn all_over(text: &str) -> bool {
    let state = |line: &str| {
        let mut states = line.split_whitespace().filter_map(|word| word.strip_prefix("JobState="));
        states.next().map(is_over)
    };
    let mut elements = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    elements.peek().is_some() && elements.all(|line| state(line) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_job_that_is_shown_as_over_is_over() {
        let line = |state: &str| {
            format!("JobId=8 ArrayJobId=7 ArrayTaskId=0 JobName=x UserId=u(1) JobState={state} Reason=None\n")
        };
        for over in ["COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"] {
            assert!(all_over(&line(over)), "{over}");
        }
        for not in ["RUNNING", "PENDING", "COMPLETING", "SUSPENDED", "REQUEUED", "A_STATE_OF_TOMORROW"] {
            assert!(!all_over(&line(not)), "{not}");
            assert!(!all_over(&(line("COMPLETED") + &line(not))), "{not}");
        }
        assert!(all_over(&(line("COMPLETED") + "\n" + &line("FAILED"))));
        // An answer that shows no job settles nothing.
        for none in ["", "\n", "No jobs in the system\n", "slurm_load_jobs error\n"] {
            assert!(!all_over(none), "{none:?}");
        }
    }
}
