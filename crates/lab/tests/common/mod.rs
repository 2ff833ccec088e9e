//! Running recipes from inside a test.

use lab::{Endings, Error, Interrupt, Options, Recipe, RunSpec, run_all};
use record::Status;
use std::path::Path;
use std::time::Duration;

pub(crate) fn runs(recipe: &str) -> Vec<RunSpec> {
    Recipe::parse(recipe, "test.toml").and_then(|recipe| recipe.runs()).expect("a valid recipe")
}

pub(crate) fn options(out: &Path) -> Options {
    Options {
        out: out.to_owned(),
        folder: data::Folder::at("/nonexistent"),
        jobs: None,
        threads: None,
        resume: false,
        checkpoint_every: Duration::ZERO,
    }
}

pub(crate) fn go(recipe: &str, options: &Options) -> Result<Endings, Error> {
    let specs = Recipe::parse(recipe, "test.toml").and_then(|recipe| recipe.runs())?;
    run_all(&specs, options, &|_| Vec::new(), &Interrupt::new())
}

/// Trains everything to the end and reads the runs back, in the order of the recipe.
pub(crate) fn train(recipe: &str, out: &Path) -> Vec<record::Run> {
    for ending in go(recipe, &options(out)).expect("nothing is refused") {
        assert_eq!(ending.expect("no trouble"), Some(Status::Finished));
    }
    runs(recipe).iter().map(|spec| record::Run::read(&out.join(&spec.id)).expect("a run")).collect()
}

/// A network and a task that train in a fraction of a second.
pub(crate) const SMALL: &str = "
data.name = 'digits'
net.d = 20
net.blocks = 3
train.epochs = 3
eval.samples = 100
audit.every = 0
";
