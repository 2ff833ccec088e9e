//! One checked run: everything that training needs.

use super::expand::Choice;
use super::network::{LQ_OUTPUTS, lq, network};
use super::reader::Reader;
use super::resolved::resolved;
use super::rule::rule;
use super::run_name::id;
use super::schema::Schema;
use super::{AuditPlan, Identity, own_data};
use crate::Error;
use crate::train::Schedule;
use data::{DataSpec, LqDataSpec, TeacherSpec};
use nn::Net;
use protocol::Thresholds;
use rules::{Clip, ClipUnits, Learner, Modifiers, RuleSpec};
use tensor::AdamW;

/// A run that can be trained.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// Name of the run: rule, modifiers, what is swept, seed.
    pub id: String,
    /// Seed of all its random streams.
    pub seed: u64,
    /// The data.
    pub source: DataSpec,
    /// Training samples to train on; the others validate.
    pub train_samples: usize,
    /// Crop and flip.
    pub augment: bool,
    /// Name of the network in recipes.
    pub net_name: String,
    /// The network, without its blocks if the run is `shallow`.
    pub net: Net,
    /// The rule.
    pub rule: RuleSpec,
    /// The modifiers.
    pub modifiers: Modifiers,
    /// AdamW at its full learning rate.
    pub optimiser: AdamW,
    /// Schedule of the learning rate.
    pub schedule: Schedule,
    /// Length of the schedule.
    pub epochs: u64,
    /// Epochs to train: the whole schedule, or fewer.
    pub last_epoch: u64,
    /// Samples per step.
    pub batch: usize,
    /// Number of samples for norms and cosines.
    pub eval_samples: usize,
    /// Thresholds of the protocol's checks.
    pub thresholds: Thresholds,
    /// The audits during training.
    pub audit: AuditPlan,
    /// The resolved recipe, as written to the run directory.
    pub recipe: String,
    /// SHA-256 of the resolved recipe.
    pub recipe_hash: String,
    /// The settings that affect its training.
    pub identity: Identity,
}

impl RunSpec {
    /// What an audit needs to know about training.
    pub fn training(&self) -> audit::Training {
        audit::Training { batch: self.batch, lr: Some(self.optimiser.lr) }
    }

    pub(super) fn new(
        schema: &Schema,
        choice: &Choice,
        swept: &[&str],
        place: &dyn Fn(&str) -> String,
    ) -> Result<Self, Error> {
        let refuse = |key: &str, message: String| Error::Recipe { place: place(key), message };
        let mut choice = own_data::placed(choice);
        let source = source(&Reader(&choice)).map_err(|e| refuse(own_data::DATA, e.to_string()))?;
        let sizes = source.dimensions();
        if matches!(source, DataSpec::Own(_)) {
            own_data::bounded(&mut choice, sizes.test);
        }
        let choice = &choice;
        let read = Reader(choice);
        let batch = read.size("train.batch");
        let eval_samples = read.size("eval.samples");
        let wanted = read.size("data.train_samples");
        if wanted > sizes.train {
            let message = format!(
                "`data.train_samples` is {wanted}, but {} has {} training samples",
                source.name(),
                sizes.train
            );
            return Err(refuse("data.train_samples", message));
        }
        let train_samples = if wanted == 0 { sizes.train } else { wanted };
        if batch > train_samples {
            let message = match wanted {
                0 => format!(
                    "`train.batch` is {batch}, but {} has {train_samples} training samples",
                    source.name()
                ),
                _ => format!(
                    "`train.batch` is {batch}, more than the {wanted} samples of `data.train_samples`"
                ),
            };
            return Err(refuse("train.batch", message));
        }
        if eval_samples > sizes.test {
            let message = format!(
                "`eval.samples` is {eval_samples}, but {} has {} test samples",
                source.name(),
                sizes.test
            );
            return Err(refuse("eval.samples", message));
        }
        let frozen = read.flag("rule.frozen");
        let last = read.whole("rule.trainable_last");
        if frozen && last > 0 {
            let message = format!(
                "`rule.frozen` trains no block, `rule.trainable_last` asks for {last}: leave one out"
            );
            return Err(refuse("rule.trainable_last", message));
        }
        let augment = read.flag("data.augment");
        if augment && !source.can_augment() {
            let message =
                format!("`data.augment` crops and flips images of bytes; {} has none", source.name());
            return Err(refuse("data.augment", message));
        }
        let modifiers = Modifiers {
            penalty: read.real("rule.penalty"),
            trainable_last: if frozen { Some(0) } else { usize::try_from(last).ok() },
            shallow: read.flag("rule.shallow"),
            random_targets: read.flag("rule.random_targets"),
            clip: Clip {
                norm: read.real("optim.clip"),
                units: if read.word("optim.clip_units") == "all" {
                    ClipUnits::All
                } else {
                    ClipUnits::Blocks
                },
            },
        };
        let blocks = read.size("net.blocks");
        modifiers.check(blocks).map_err(|e| {
            refuse(if modifiers.shallow { "rule.shallow" } else { "rule.trainable_last" }, e.to_string())
        })?;
        let net = network(&read, &source, if modifiers.shallow { 0 } else { blocks })
            .map_err(|message| refuse("net.name", message))?;
        let rule = rule(&read);
        rules::check::<f32, Net>(&rule, &net).map_err(|e| refuse("rule.name", e.to_string()))?;
        let epochs = read.whole("train.epochs") as u64;
        let stop_after = read.whole("train.stop_after") as u64;
        if stop_after > epochs {
            let message = format!("`train.stop_after` is {stop_after}, but the schedule has {epochs} epochs");
            return Err(refuse("train.stop_after", message));
        }
        let thresholds = protocol::thresholds(|key| choice.get(key));
        let audit = AuditPlan::new(&read, &thresholds, sizes.test)
            .map_err(|message| refuse("audit.every", message))?;
        let (recipe, recipe_hash) = resolved(schema, choice);
        let identity = Identity::under(schema, choice.iter().map(|(key, value)| (*key, value)))
            .expect("a choice has the keys of its schema");
        Ok(Self {
            id: id(schema, choice, swept),
            seed: read.whole("seed") as u64,
            train_samples,
            augment,
            source,
            net_name: read.word("net.name").to_owned(),
            net,
            rule,
            modifiers,
            optimiser: AdamW {
                lr: read.real("optim.lr"),
                beta1: read.real("optim.beta1"),
                beta2: read.real("optim.beta2"),
                eps: read.real("optim.eps"),
                weight_decay: read.real("optim.weight_decay"),
            },
            schedule: if read.word("train.schedule") == "cosine" {
                Schedule::Cosine
            } else {
                Schedule::Constant
            },
            epochs,
            last_epoch: if stop_after == 0 { epochs } else { stop_after },
            batch,
            eval_samples,
            thresholds,
            audit,
            recipe,
            recipe_hash,
            identity,
        })
    }

    /// A learner with initial parameters.
    pub fn learner(&self) -> Result<Learner<f32, Net>, Error> {
        Ok(Learner::new(self.net.clone(), &self.rule, self.modifiers, self.seed)?)
    }

    /// Steps per epoch.
    pub fn steps(&self) -> usize {
        data::batches(self.train_samples, self.batch)
    }
}

fn source(read: &Reader<'_>) -> Result<DataSpec, data::Error> {
    Ok(match DataSpec::of(read.word(own_data::DATA))? {
        DataSpec::Teacher(_) => DataSpec::Teacher(TeacherSpec {
            inputs: read.size("teacher.inputs"),
            width: read.size("teacher.width"),
            blocks: read.size("teacher.blocks"),
            gain: read.real("teacher.gain"),
            bias: read.real("teacher.bias"),
            classes: read.size("teacher.classes"),
            train: read.size("teacher.train"),
            test: read.size("teacher.test"),
            seed: read.whole("teacher.seed") as u64,
        }),
        DataSpec::Lq(_) => DataSpec::Lq(LqDataSpec {
            inputs: lq(read, if read.flag("rule.shallow") { 0 } else { read.size("net.blocks") }).inputs(),
            outputs: LQ_OUTPUTS,
            train: read.size("lq.train"),
            test: read.size("lq.test"),
            seed: read.whole("lq.seed") as u64,
        }),
        other => other,
    })
}
