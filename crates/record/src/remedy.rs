//! What a user can change about an error or a warning, as a value.
//!
//! Libraries say in words what is wrong and what to do, and know no command line. Beside the words they give a remedy,
//! which each front end turns into its own spelling: a flag, a keyword, a button.

/// The setting that helps.
///
/// To give an error or a warning a remedy: leave flags out of its message, and answer with one of these from its method
/// `remedy(&self) -> Option<Remedy>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Say how many samples the dumped gradients are a mean over.
    GiveMeanOver,
    /// Do not say it.
    OmitMeanOver,
    /// Say the test accuracy.
    GiveAccuracy,
    /// Say the test accuracy with frozen blocks.
    GiveFrozenAccuracy,
    /// Measure on more samples.
    Samples,
    /// Draw chance more often.
    Draws,
    /// Continue the run that is there.
    Resume,
    /// Write to another folder.
    OtherFolder,
    /// Carry out fewer runs at a time.
    FewerJobs,
    /// Draw the published values.
    Published,
    /// Audit the runs.
    Audit,
    /// Write a template with every key.
    Template,
    /// Plan a sweep.
    PlanSweep,
    /// Print the command of each shard.
    Commands,
}
