//! Why a job waits, in words.

/// Slurm's reason in words, with its own word behind.
pub(super) fn in_words(reason: &str) -> String {
    let words = match reason {
        "None" => "just submitted",
        "Resources" => "waits for free nodes",
        "Priority" => "others are ahead in the queue",
        "BeginTime" => "requeued, starts again in a moment",
        "JobArrayTaskLimit" => "as many shards as --throttle allows are at work",
        "Dependency" => "waits for another job",
        "DependencyNeverSatisfied" => "waits for a job that failed: cancel and resume",
        "JobHeldUser" | "JobHeldAdmin" => "held: release it with scontrol release",
        "launch failed requeued held" => "the node could not start it: release it with scontrol release",
        "PartitionTimeLimit" => {
            "asks for more time than the partition allows: cancel, and resume with a smaller --time"
        }
        "PartitionNodeLimit" | "PartitionConfig" | "BadConstraints" => {
            "asks for what the partition does not have: cancel, and resume with other options"
        }
        "PartitionDown" | "PartitionInactive" => "the partition is closed",
        "NodeDown" => "its node is down",
        "Licenses" => "waits for a licence",
        "Reservation" => "waits for its reservation",
        "Cleaning" | "Prolog" => "about to start",
        _ if reason.starts_with("ReqNodeNotAvail") || reason.starts_with("Nodes required") => {
            "the nodes it needs are down or reserved"
        }
        _ if reason.starts_with("QOS") || reason.starts_with("Assoc") || reason.starts_with("Max") => {
            "a limit of your account or of its quality of service is reached"
        }
        _ => return reason.to_owned(),
    };
    format!("{words} ({reason})")
}
