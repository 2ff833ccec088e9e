//! Where a worker is, which its attempts begin with.

use super::WorkOptions;
use crate::Start;

/// Where this worker is, as far as its scheduler says.
pub(super) fn here(options: &WorkOptions) -> Start {
    let var = |name: &str| std::env::var(name).ok();
    let number = |name: &str| var(name).and_then(|text| text.parse::<u64>().ok());
    let host = || record::durable::writer().split('.').next().unwrap_or_default().to_owned();
    let element = || Some(format!("{}_{}", number("SLURM_ARRAY_JOB_ID")?, number("SLURM_ARRAY_TASK_ID")?));
    // Slurm gives one of the two: memory by node, or by core, which counts for all cores that the job has on this node.
    let cores = || number("SLURM_CPUS_ON_NODE").or_else(|| number("SLURM_CPUS_PER_TASK"));
    let by_core = || number("SLURM_MEM_PER_CPU")?.checked_mul(cores()?);
    Start {
        time: String::new(),
        node: var("SLURMD_NODENAME").unwrap_or_else(host),
        shard: format!("{}-{}", options.submission, options.shard),
        job: element(),
        restarts: number("SLURM_RESTART_COUNT").unwrap_or(0),
        memory_asked: number("SLURM_MEM_PER_NODE").or_else(by_core),
        heartbeat: options.heartbeat.as_secs_f64(),
    }
}
