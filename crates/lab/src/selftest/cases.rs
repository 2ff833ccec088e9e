//! The runs of the self-test: every fault once for each rule that can have it, and healthy runs.

use super::rule::{BrokenBp, BrokenFeedback};
use super::{Expected, Planted};
use crate::{Error, Interrupt, Options, Recipe, RunSpec, run_with};
use data::Folder;
use nn::{Net, Unit};
use record::Status;
use rules::{Formula, Learner, RuleInfo, RuleSpec, TABLE};
use std::path::Path;
use std::time::Duration;
use tensor::random::{Purpose, Stream};

/// Number of healthy runs among the broken ones.
const HEALTHY: usize = 20;

const BLOCKS: usize = 3;

/// Small enough to take a second each, deep enough for every fault.
const RECIPE: &str = "
data.name = 'digits'
net.d = 32
net.blocks = 3
train.epochs = 3
train.batch = 64
eval.samples = 128
audit.every = 0
";

/// Settings for rules that have such a key: a bridge net as wide as the network.
const SETTINGS: [(&str, &str); 1] = [("rule.bridge_width", "32")];

/// Rules whose recorded credit the audit can recompute independently.
fn checked() -> Vec<&'static RuleInfo> {
    const ALL: &[RuleInfo] = &TABLE;
    ALL.iter().filter(|info| RuleSpec::from(info.name).formula().is_some()).collect()
}

/// One run of the self-test.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of its directory, which reveals only rule and seed.
    pub id: String,
    /// The rule.
    pub rule: &'static str,
    /// The planted fault; `None` in a healthy run.
    pub planted: Option<Planted>,
    /// What an audit should find; `None` in a healthy run.
    pub expected: Option<Expected>,
    spec: RunSpec,
}

/// All runs in random order, faults at random units, each run with its own seed.
pub fn cases(seed: u64) -> Result<Vec<Case>, Error> {
    let mut stream = Stream::new(seed, Purpose::Audit);
    let mut block = || 1 + stream.below(BLOCKS as u64) as usize;
    let mut planted: Vec<(&'static str, Option<Planted>)> = vec![
        ("bp", Some(Planted::CreditZeroed(block()))),
        ("bp", Some(Planted::SignFlipped(block()))),
        ("bp", Some(Planted::NeighboursCredit(block() - 1))),
        ("bp", Some(Planted::SamplesShuffled(block()))),
        ("bp", Some(Planted::NeverStepped(block()))),
        ("fa", Some(Planted::FeedbackTransposed(block() - 1))),
    ];
    for rule in ["fa", "dfa"] {
        let own = block() - 1;
        planted.extend([
            (rule, Some(Planted::FeedbackNegated(block() - 1))),
            (rule, Some(Planted::OtherFeedback((own + 1) % BLOCKS, own))),
            (rule, Some(Planted::FeedbackRedrawn)),
            (rule, Some(Planted::FeedbackRedrawnUnsaved)),
        ]);
    }
    planted.extend(checked().iter().cycle().take(HEALTHY).map(|info| (info.name, None)));
    stream.shuffle(&mut planted);
    let case = |(i, (rule, planted)): (usize, (&'static str, Option<Planted>))| {
        let own_seed = seed.wrapping_mul(1000).wrapping_add(i as u64) & (i64::MAX as u64);
        let mut recipe = format!("{RECIPE}rule.name = '{rule}'\nseed = {own_seed}\n");
        for (key, value) in SETTINGS {
            if RuleSpec::from(rule).keys().iter().any(|own| own.name == key) {
                recipe.push_str(&format!("{key} = {value}\n"));
            }
        }
        let mut runs = Recipe::parse(&recipe, "selftest")?.runs()?;
        let spec = runs.remove(0);
        let expected = planted.map(|planted| planted.expected(rule));
        Ok(Case { id: spec.id.clone(), rule, planted, expected, spec })
    };
    planted.into_iter().enumerate().map(case).collect()
}

/// Trains all cases into `out`.
pub fn train_cases(cases: &[Case], out: &Path, interrupt: &Interrupt) -> Result<(), Error> {
    let specs: Vec<RunSpec> = cases.iter().map(|case| case.spec.clone()).collect();
    let options = Options {
        out: out.to_owned(),
        folder: Folder::at(out),
        jobs: None,
        threads: None,
        resume: false,
        checkpoint_every: Duration::from_secs(3600),
    };
    let learner = |spec: &RunSpec| {
        let case = cases.iter().find(|case| case.id == spec.id);
        broken_learner(spec, case.and_then(|case| case.planted))
    };
    let endings = run_with(&specs, &options, &learner, &|_| Vec::new(), interrupt)?;
    for (case, ending) in cases.iter().zip(endings) {
        let ending = ending?;
        if ending != Some(Status::Finished) {
            return Err(Error::Internal {
                id: case.id.clone(),
                message: format!("it did not finish: {ending:?}"),
            });
        }
    }
    Ok(())
}

/// The recipe's learner with the planted fault.
fn broken_learner(spec: &RunSpec, planted: Option<Planted>) -> Result<Learner<f32, Net>, Error> {
    let mut learner = spec.learner()?;
    match planted {
        None => {}
        Some(Planted::NeverStepped(unit)) => learner.leave_out(Unit::Block(unit - 1)),
        Some(planted) => match spec.rule.formula() {
            Some(Formula::Gradient { .. }) => learner.rule = Box::new(BrokenBp(planted)),
            _ => learner.rule = Box::new(BrokenFeedback::new(spec, &learner.params, planted)?),
        },
    }
    Ok(learner)
}
