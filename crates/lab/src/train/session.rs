//! Trains one run from its current position to its end.

use super::batch::{share, training};
use super::evaluate::{evaluate, rows, score, test_score, validation_score};
use super::witness::{audit_epoch, feedback_hash, used_credit};
use super::{Event, Interrupt, Listener, Position};
use crate::{Error, RunSpec};
use data::{Dataset, Holdout};
use nn::{Architecture, Net, Network, Unit};
use protocol::{Moment, reference_validity, scale_stability};
use record::{Epoch, Status};
use rules::{Chunk, Learner, Tally};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;
use tensor::side_by_side;

/// Trains `learner` from `position` on. The result depends only on the recipe and the data, not on `threads` or on the number
/// of interruptions.
pub fn train(
    spec: &RunSpec,
    data: &Dataset,
    mut learner: Learner<f32, Net>,
    mut position: Position,
    threads: usize,
    listener: &mut dyn Listener,
    interrupt: &Interrupt,
) -> Result<Status, Error> {
    let mut viewers: Vec<_> = (0..threads).map(|_| learner.chunk(rows(&learner.net))).collect();
    let parts = learner.chunks_for(threads);
    let mut chunks: Vec<_> = (0..parts).map(|_| learner.chunk(spec.batch.div_ceil(parts))).collect();
    let holdout = Holdout::new(spec.seed, data.train.len(), spec.train_samples);
    listener.on(spec, &Event::Started(&position))?;
    if position == Position::default() {
        let epoch = measure(spec, data, &holdout, &learner, &position, None, &mut viewers);
        intact(spec, &learner)?;
        listener.on(spec, &Event::Measured(&epoch))?;
    }
    let status = 'run: {
        while position.epoch < spec.last_epoch {
            let order = holdout.order(spec.seed, position.epoch);
            let optimiser = spec.optimiser_at(position.epoch);
            learner.rule.begin_epoch(position.epoch as f64 / spec.epochs as f64);
            while (position.step as usize) < spec.steps() {
                if interrupt.requested() {
                    break 'run Status::Interrupted;
                }
                let begun = Instant::now();
                let samples = data::batch_range(order.len(), spec.batch, position.step as usize);
                let start = samples.start;
                let batch = samples.len();
                side_by_side(chunks.iter_mut().enumerate(), |(index, chunk)| {
                    let rows = share(batch, parts, index);
                    training(spec, data, &order, position.epoch, start + rows.start..start + rows.end, chunk);
                    learner.learn(chunk, batch, position.t + 1);
                });
                intact(spec, &learner)?;
                let tally = Tally::of(&chunks);
                if !tally.loss.is_finite() {
                    break 'run broken_step("training loss", &position, tally.loss);
                }
                if let Err(broken) = learner.descend(position.t + 1, optimiser, &chunks, threads) {
                    let which = format!("gradient of {}", named(broken.unit));
                    break 'run broken_step(&which, &position, broken.norm);
                }
                intact(spec, &learner)?;
                position.t += 1;
                position.step += 1;
                position.tally += tally;
                position.seconds += begun.elapsed().as_secs_f64();
                listener.on(spec, &Event::Stepped(&position))?;
            }
            position.epoch += 1;
            let epoch = measure(spec, data, &holdout, &learner, &position, Some(optimiser.lr), &mut viewers);
            intact(spec, &learner)?;
            listener.on(spec, &Event::Measured(&epoch))?;
            // No training loss shows the effect of an epoch's last step. A finite test loss does.
            if !epoch.test.loss.is_finite() {
                let place = format!("after epoch {}", position.epoch);
                break 'run non_finite("test loss", &place, &position, 0, epoch.test.loss);
            }
            position = Position { epoch: position.epoch, t: position.t, ..Position::default() };
            let halts_on = halts_on(spec, &epoch);
            let must = position.epoch == spec.last_epoch || halts_on.is_some();
            at_rest(spec, data, &learner, &position, &mut viewers[0], must, listener)?;
            if let Some(check) = halts_on {
                break 'run Status::Halted { check, epoch: position.epoch };
            }
        }
        Status::Finished
    };
    if status == Status::Interrupted {
        at_rest(spec, data, &learner, &position, &mut viewers[0], true, listener)?;
    }
    let drift = status.is_complete().then(|| drift(&learner, spec.seed));
    listener.on(spec, &Event::Ended { position: &position, status: &status, drift: drift.as_ref() })?;
    Ok(status)
}

/// An error where a rule from outside could not compute its credit.
pub(crate) fn intact(spec: &RunSpec, learner: &Learner<f32, Net>) -> Result<(), Error> {
    let rule = || spec.rule.name.clone();
    let fault = learner.rule.fault().map(|message| rules::Error::Foreign { rule: rule(), message });
    fault.map_or(Ok(()), |fault| Err(fault.into()))
}

/// Offers the run to listeners that save it.
fn at_rest(
    spec: &RunSpec,
    data: &Dataset,
    learner: &Learner<f32, Net>,
    position: &Position,
    viewer: &mut Chunk<f32, Net>,
    must: bool,
    listener: &mut dyn Listener,
) -> Result<(), Error> {
    let viewer = RefCell::new(viewer);
    let credit = || used_credit(spec, data, learner, &mut viewer.borrow_mut());
    listener.on(spec, &Event::AtRest { position, learner, credit: &credit, must })
}

fn measure(
    spec: &RunSpec,
    data: &Dataset,
    holdout: &Holdout,
    learner: &Learner<f32, Net>,
    position: &Position,
    lr: Option<f64>,
    viewers: &mut [Chunk<f32, Net>],
) -> Epoch {
    let begun = Instant::now();
    let test = test_score(learner, data, viewers);
    let validation = validation_score(learner, data, &holdout.validation, viewers);
    let tested = Instant::now();
    let evaluation = evaluate(spec, learner, data, &mut viewers[0]);
    let feedback = feedback_hash(learner.rule.saved());
    let evaluated = Instant::now();
    // A broken network ends the run, and of a frozen baseline only the accuracy is used: neither needs an audit. If the cost
    // depends on more than the state, a moved state cannot be judged.
    let worthwhile =
        test.loss.is_finite() && spec.modifiers.trainable_last != Some(0) && learner.net.classifies();
    let wanted = worthwhile && spec.audit.audits(position.epoch, spec.last_epoch);
    let audit = wanted.then(|| audit_epoch(spec, learner, data, viewers.len()));
    Epoch {
        epoch: position.epoch,
        lr,
        train: lr.map(|_| score(&learner.net, position.tally)),
        validation,
        test,
        evaluation,
        audit,
        feedback,
        train_seconds: position.seconds,
        test_seconds: (tested - begun).as_secs_f64(),
        evaluation_seconds: (evaluated - tested).as_secs_f64(),
        audit_seconds: evaluated.elapsed().as_secs_f64(),
    }
}

/// The first check in `audit.stop_on` that fires on these measurements.
pub(crate) fn halts_on(spec: &RunSpec, epoch: &Epoch) -> Option<String> {
    let limits = &spec.thresholds;
    let moment = Moment::of(epoch);
    let fires = |check: &&String| {
        let outcome = match check.as_str() {
            "D1" => scale_stability(moment.growth, limits),
            _ => reference_validity(moment.gradient, moment.error, limits),
        };
        outcome == record::audit::Outcome::Fires
    };
    spec.audit.stop_on.iter().find(fires).cloned()
}

/// A run whose next step cannot be taken.
fn broken_step(which: &str, position: &Position, value: f64) -> Status {
    let step = position.step + 1;
    non_finite(which, &format!("in epoch {}, step {step}", position.epoch + 1), position, step, value)
}

fn named(unit: Unit) -> String {
    match unit {
        Unit::Embed => "the embedding".to_owned(),
        Unit::Block(l) => format!("block {l}"),
        Unit::Head | Unit::Statistics | Unit::Given => "the head".to_owned(),
    }
}

fn non_finite(which: &str, place: &str, position: &Position, step: u64, value: f64) -> Status {
    let word = if value.is_nan() { "not a number" } else { "infinite" };
    let reason = format!("the {which} became {word} {place}");
    Status::Stopped { reason, epoch: position.epoch, step }
}

/// How far each parameter has moved from its initial value, which the seed reproduces.
fn drift(learner: &Learner<f32, Net>, seed: u64) -> BTreeMap<String, f64> {
    let start: Vec<f32> = learner.net.initial(seed);
    let of = |tensor: &nn::Tensor| {
        let range = || tensor.range.clone();
        Some((tensor.name.clone(), audit::drift(&start[range()], &learner.params[range()])?))
    };
    learner.net.layout().tensors().iter().filter_map(of).collect()
}
