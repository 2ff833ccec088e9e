//! `creditscope run`.

use crate::args::{Chosen, Execution, Run, Verbosity};
use crate::call::Call;
use crate::commands::export::Listeners;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::show;
use data::Folder;
use lab::{MakeListeners, Options, Plan, Recipe, RunSpec, is_trained, run_all};
use record::Status;
use report::audit::View;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn run(args: &Run, call: Call<'_>) -> Result<(), Failure> {
    let recipe = recipe(args)?;
    let shard = args.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok())).transpose()?;
    let plan = plan(&recipe, args, shard)?;
    let specs = plan.runs();
    let out = out(&args.chosen, &recipe)?;
    let folder = folder(args.data.as_deref())?;
    if let (true, Some(shard)) = (specs.is_empty(), shard) {
        show::print(&format!("Shard {shard} has no run: there are fewer runs than shards.\n"));
        return Ok(());
    }
    if args.dry_run {
        return super::dry_run::dry_run(&plan, &out, &folder, &args.execution);
    }
    let begun = Instant::now();
    let events = args.tensorboard.as_deref().map(|events| Listeners { out: events, runs: &out });
    if let Some(events) = &events {
        events.begin(&recipe)?;
    }
    let listeners = |spec: &RunSpec| events.iter().map(|events| events.of(spec)).collect();
    let outcome = train_with(specs, &out, folder.clone(), &args.execution, args.resume, call, &listeners)?;
    if let Some(events) = &events {
        events.complete(specs)?;
    }
    if call.verbosity > Verbosity::Quiet {
        let read = |spec: &RunSpec| super::runs::read(&out.join(&spec.id));
        let runs: Vec<record::Run> = specs.iter().map(read).collect::<Result<_, _>>()?;
        show::print(&super::audit::text(&super::audit::judged(&runs, folder)?, &View::default()));
        let time = show::duration(begun.elapsed());
        let sum = format!("{} in {}, in {time}. {}", plural(specs.len()), out.display(), cost(&runs));
        show::print(&format!(
            "\n{}\nLook closer:  creditscope audit {}\n",
            show::wrap(&sum, 0),
            out.display()
        ));
    }
    outcome.check()
}

/// What measuring took, as a share of what training took.
pub(crate) fn cost(runs: &[record::Run]) -> String {
    let total = |seconds: fn(&record::Epoch) -> f64| -> f64 {
        runs.iter().flat_map(|run| &run.epochs).map(seconds).sum()
    };
    let train = total(|epoch| epoch.train_seconds);
    if train <= 0.0 {
        return "No epoch was trained.".to_owned();
    }
    let share = |seconds: fn(&record::Epoch) -> f64| format!("{:.1} %", 100.0 * total(seconds) / train);
    format!(
        "Beside training, the test set took {} of its time, norms and cosines {}, audits {}.",
        share(|epoch| epoch.test_seconds),
        share(|epoch| epoch.evaluation_seconds),
        share(|epoch| epoch.audit_seconds)
    )
}

/// Whether all runs that ended did so at their end.
#[must_use]
pub(crate) enum AllTrained {
    Yes,
    /// At least one was given up; its reason is on the screen and in its record.
    No,
}

impl AllTrained {
    pub(crate) fn check(self) -> Result<(), Failure> {
        match self {
            Self::Yes => Ok(()),
            Self::No => Err(Failure::DidNotHold),
        }
    }
}

/// The text of a recipe.
pub(crate) fn recipe_text(path: &Path) -> Result<String, Failure> {
    record::bounded::utf8(path, record::bounded::RECIPE).map_err(|e| {
        Failure::Input(format!(
            "cannot read the recipe {}: {e}: give a TOML file, or write one with `creditscope init`",
            record::escape::path(path)
        ))
    })
}

/// The folder of a recipe's runs.
pub(crate) fn out(chosen: &Chosen, recipe: &Recipe) -> Result<PathBuf, Failure> {
    Ok(match &chosen.out {
        Some(out) => out.clone(),
        None => Path::new("runs").join(recipe.name()?),
    })
}

/// The recipe with everything that the command line overrides.
fn recipe(args: &Run) -> Result<Recipe, Failure> {
    let file = record::escape::path(&args.recipe);
    let text = recipe_text(&args.recipe)?;
    let Chosen { set, seeds, rules, .. } = &args.chosen;
    let mut recipe = Recipe::parse(&text, &file)?;
    recipe.name_by_default(&lab::plain_name(&args.recipe));
    for assignment in set {
        recipe.set(assignment)?;
    }
    if !seeds.is_empty() {
        recipe.set_list("seed", seeds, "--seeds")?;
    }
    if !rules.is_empty() {
        recipe.set_list("rule.name", rules, "--rules")?;
    }
    Ok(recipe)
}

/// The runs that are asked for: those that are named, and of these one shard.
fn plan(recipe: &Recipe, args: &Run, shard: Option<lab::Shard>) -> Result<Plan, Failure> {
    let mut plan = Plan::new(recipe)?;
    if !args.only.is_empty() {
        let ids: Vec<String> = args.only.iter().map(|id| id.trim().to_owned()).collect();
        plan = plan.only(&ids)?;
    }
    Ok(match shard {
        Some(shard) => plan.shard(shard),
        None => plan,
    })
}

pub(crate) fn folder(given: Option<&Path>) -> Result<Folder, Failure> {
    Ok(given.map_or_else(Folder::default_location, |path| Ok(Folder::at(path)))?)
}

/// Trains all runs; reports the ones that failed and says how to go on after an interruption.
pub(crate) fn train(
    specs: &[RunSpec],
    out: &Path,
    folder: Folder,
    execution: &Execution,
    resume: bool,
    call: Call<'_>,
) -> Result<AllTrained, Failure> {
    train_with(specs, out, folder, execution, resume, call, &|_| Vec::new())
}

/// The same with listeners beside the progress bar.
fn train_with(
    specs: &[RunSpec],
    out: &Path,
    folder: Folder,
    execution: &Execution,
    resume: bool,
    call: Call<'_>,
    listeners: MakeListeners<'_>,
) -> Result<AllTrained, Failure> {
    let ahead: Vec<&RunSpec> = specs.iter().filter(|spec| !is_trained(&out.join(&spec.id), spec)).collect();
    let progress = Progress::new(&ahead, call.verbosity);
    let note = progress.note();
    let guard = call.interrupt.on_request(move || {
        note("Stopping after this step and saving; press Ctrl-C again to quit without saving.");
    });
    let options = Options {
        out: out.to_owned(),
        folder,
        jobs: execution.jobs.map(|n| n as usize),
        threads: execution.threads.map(|n| n as usize),
        resume,
        checkpoint_every: Duration::from_secs_f64(execution.checkpoint_every),
    };
    let all = |spec: &RunSpec| {
        let mut all = listeners(spec);
        all.push(progress.listener(spec));
        all
    };
    let endings = run_all(specs, &options, &all, call.interrupt);
    drop(guard);
    progress.clear();
    let mut failures = Vec::new();
    let mut stopped = false;
    let mut midway = 0;
    let mut waiting = 0;
    for (spec, ending) in specs.iter().zip(endings?) {
        match ending {
            Ok(Some(Status::Finished)) => {}
            Ok(Some(Status::Halted { check, .. })) => {
                show::complain!("{}: ended itself when {check} fired, as audit.stop_on asks", spec.id);
            }
            Ok(Some(Status::Stopped { reason, .. })) => {
                stopped = true;
                show::complain!("creditscope: {}: {reason}; its record says so", spec.id);
            }
            Ok(Some(Status::Interrupted | Status::Running)) => midway += 1,
            Ok(None) => waiting += 1,
            Err(error) => {
                let failure = Failure::from(error);
                show::complain!("creditscope: {}: {failure}", spec.id);
                failures.push(failure);
            }
        }
    }
    if let Some(first) = failures.into_iter().next() {
        return Err(match first {
            Failure::Internal(_) => Failure::Internal("a run failed, see above".to_owned()),
            _ => Failure::Input("a run failed, see above; its last checkpoint is intact".to_owned()),
        });
    }
    if midway + waiting > 0 {
        let done = specs.len() - midway - waiting;
        let message = format!(
            "stopped: {done} of {} done, {midway} saved midway, {waiting} not begun. Continue with:  {}",
            plural(specs.len()),
            continuation(call.words, resume)
        );
        return Err(Failure::Interrupted(message));
    }
    Ok(if stopped { AllTrained::No } else { AllTrained::Yes })
}

/// The command that was given, with `--resume` where it needs it.
fn continuation(words: &[OsString], resume: bool) -> String {
    let mut words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if !resume {
        words.push("--resume".to_owned());
    }
    words.iter().map(|word| show::shell_word(word)).collect::<Vec<_>>().join(" ")
}

pub(super) fn plural(runs: usize) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}
