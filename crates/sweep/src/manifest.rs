//! `sweep/manifest.json`: what a sweep is to train, written once.

use crate::{Error, Folder, Program, Source};
use lab::{Asked, Cost, DataSets, RunSpec, Speed};
use record::{durable, versioned};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::Duration;

/// The frozen plan of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format.
    pub schema: String,
    /// Tells this sweep from all others; in the names of its jobs.
    pub sweep: String,
    /// Name of the recipe.
    pub name: String,
    /// When it was planned, UTC.
    pub planned: String,
    /// The program that trains it.
    pub program: Program,
    /// Where the runs come from.
    pub source: Source,
    /// The data sets.
    pub data: Vec<DataSet>,
    /// The runs, in the order of the recipe.
    pub runs: Vec<Planned>,
}

/// A data set of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSet {
    /// Its name.
    pub name: String,
    /// SHA-256 of its content.
    pub hash: String,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Its name, and that of its directory.
    pub id: String,
    /// Its rule.
    pub rule: String,
    /// Its seed.
    pub seed: u64,
    /// Version and hash of what steers its training.
    pub identity: String,
    /// Hash of its whole resolved recipe.
    pub recipe_hash: String,
    /// Epochs to train.
    pub epochs: u64,
    /// Its data, counted from 0 among those of the manifest.
    pub data: usize,
    /// Floating-point operations, by the cost model.
    pub flop: f64,
    /// Seconds beside them, by the cost model; older plans do without.
    #[serde(default)]
    pub overhead: f64,
    /// Bytes of memory, by the cost model.
    pub memory: u64,
}

impl Planned {
    /// Time on one core, by the cost model.
    pub fn time(&self, speed: Speed) -> Duration {
        speed.time(self.flop, self.overhead)
    }
}

impl Manifest {
    const SCHEMA: &str = "creditscope.sweep/1";

    /// Reads the manifest of a folder.
    pub fn read(folder: &Folder) -> Result<Self, Error> {
        let path = folder.manifest();
        if !path.exists() {
            return Err(Error::NoSweep { path: folder.root().to_owned() });
        }
        Ok(versioned(&path, Self::SCHEMA, "the manifest of a sweep")?)
    }

    /// What is asked of a run, for judging its directory.
    pub fn asked<'a>(&'a self, run: &'a Planned) -> Asked<'a> {
        Asked {
            identity: &run.identity,
            recipe_hash: &run.recipe_hash,
            data_hash: self.data.get(run.data).map_or("", |data| &data.hash),
            last_epoch: run.epochs,
        }
    }

    /// The name of a submission's job: by it a job is found whose number was lost.
    pub fn job_name(&self, submission: u64) -> String {
        format!("creditscope-{}-{submission}", self.sweep)
    }

    /// The named runs, expanded from the recipe again. Refuses a program that expands it differently.
    pub(crate) fn specs(&self, ids: &[String], folder: &Folder) -> Result<Vec<RunSpec>, Error> {
        let specs = self.source.plan()?.only(ids)?.runs().to_vec();
        let planned: BTreeMap<&str, &Planned> = self.runs.iter().map(|run| (run.id.as_str(), run)).collect();
        let as_planned = |spec: &&RunSpec| {
            planned.get(spec.id.as_str()).is_some_and(|run| run.recipe_hash == spec.recipe_hash)
        };
        match specs.iter().find(|spec| !as_planned(spec)) {
            None => Ok(specs),
            Some(spec) => {
                let difference = format!("it resolves the recipe of {} differently", spec.id);
                Err(Error::OtherProgram { difference, path: folder.program() })
            }
        }
    }
}

/// Plans a sweep: all runs of a recipe, or those that are named. A folder that holds the same plan already is left as it is.
pub fn freeze(
    folder: &Folder,
    source: &Source,
    only: Option<&[String]>,
    data_folder: &data::Folder,
) -> Result<Manifest, Error> {
    let plan = source.plan()?;
    let plan = match only {
        Some(ids) => plan.only(ids)?,
        None => plan,
    };
    let there = if folder.manifest().exists() { Some(Manifest::read(folder)?) } else { None };
    if let Some(there) = there {
        // A part of what is planned may be asked for again, such as what is left of a study.
        return match difference(&there, plan.runs(), only.is_some()) {
            None => Ok(there),
            Some(difference) => Err(Error::OtherSweep { path: folder.root().to_owned(), difference }),
        };
    }
    let mut data_sets = DataSets::new(data_folder.clone());
    let mut data: Vec<DataSet> = Vec::new();
    let mut runs = Vec::with_capacity(plan.runs().len());
    for spec in plan.runs() {
        data::check(&spec.source, data_folder).map_err(|e| lab::Error::Data(std::sync::Arc::new(e)))?;
        let own = DataSet { name: spec.source.name().to_owned(), hash: data_sets.hash(&spec.source)? };
        let place = data.iter().position(|known| *known == own).unwrap_or_else(|| {
            data.push(own);
            data.len() - 1
        });
        let cost = Cost::of(spec);
        runs.push(Planned {
            id: spec.id.clone(),
            rule: spec.rule.name.clone(),
            seed: spec.seed,
            identity: spec.identity.hash().to_owned(),
            recipe_hash: spec.recipe_hash.clone(),
            epochs: spec.last_epoch,
            data: place,
            flop: cost.flop,
            overhead: cost.overhead,
            memory: cost.memory,
        });
    }
    Folder::make(&folder.sweep())?;
    let program = Program::keep(folder)?;
    let planned = lab::now();
    let manifest = Manifest {
        schema: Manifest::SCHEMA.to_owned(),
        sweep: name_of(&planned, &runs),
        name: source.recipe()?.name()?,
        planned,
        program,
        source: source.clone(),
        data,
        runs,
    };
    let mut text = serde_json::to_string_pretty(&manifest).expect("a manifest is plain data");
    text.push('\n');
    durable::write(&folder.manifest(), text.as_bytes())?;
    Ok(manifest)
}

/// How a plan differs from the one that is there; none if it does not.
fn difference(there: &Manifest, specs: &[RunSpec], part: bool) -> Option<String> {
    let planned: BTreeMap<&str, &str> =
        there.runs.iter().map(|run| (run.id.as_str(), run.recipe_hash.as_str())).collect();
    for spec in specs {
        match planned.get(spec.id.as_str()) {
            None => return Some(format!("it has no run {}", spec.id)),
            Some(hash) if *hash != spec.recipe_hash => {
                return Some(format!("its {} has another recipe", spec.id));
            }
            Some(_) => {}
        }
    }
    (!part && specs.len() < planned.len())
        .then(|| format!("it has {} runs, this recipe has {}", planned.len(), specs.len()))
}

/// A name that no other sweep has, also not one of the same recipe in another folder.
fn name_of(planned: &str, runs: &[Planned]) -> String {
    let mut hash = Sha256::new_with_prefix(format!("{planned} {}", durable::writer()));
    runs.iter().for_each(|run| hash.update(&run.recipe_hash));
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
