//! The main study: accuracies, norms, cosines, when checks fired, and verdicts.

use super::deviation::of_epochs;
use super::lines::{Kind, Known, Line, mean};
use super::{Asked, accuracy, cosines, end, frozen, line, rated, runs_of};
use crate::published::{MainRow, Printed, Value, published};
use protocol::{
    FLOOR_SAMPLES, Moment, Thresholds, at_floor, of_mean, reference_validity, scale_stability, statistics,
};
use record::audit::{Audit, CheckId, Outcome, Verdict};
use record::{Evaluation, Measured, Run};

pub(super) fn lines(asked: &[Asked]) -> Vec<Line> {
    let table = published();
    let mut lines = rated(asked, table.main.rows.iter().map(|row| (row.rule.as_str(), row.accuracy)));
    for row in &table.frozen.rows {
        let ours = runs_of(asked, &row.rule, frozen).map(accuracy);
        let mean = row.accuracy.mean;
        let about = Printed { text: format!("about {mean}"), low: Some(mean), high: Some(mean) };
        let known = if row.about { Known::Printed(about) } else { Known::Value(row.accuracy) };
        lines.push(line((Kind::Accuracy, &row.rule), format!("accuracy, {} frozen", row.rule), ours, known));
    }
    for row in &table.main.rows {
        let trained = || runs_of(asked, &row.rule, |a| !frozen(a)).map(end);
        if let Some(hidden) = &row.hidden {
            let ours = trained().map(|e| e?.evaluation.hidden().last().copied());
            let what = format!("‖h_L‖, {}", row.rule);
            lines.push(line((Kind::State, &row.rule), what, ours, Known::Printed(hidden.clone())));
        }
        if let Some(gradient) = &row.gradient {
            let ours = trained().map(|e| Moment::of(e?).gradient);
            let what = format!("‖g_L‖ (N={FLOOR_SAMPLES}), {}", row.rule);
            lines.push(line((Kind::Gradient, &row.rule), what, ours, Known::Printed(gradient.clone())));
        }
    }
    lines.extend(profiles(asked));
    lines.extend(cosines("main", asked));
    lines.extend(early(asked));
    lines.extend(firing(asked));
    lines.extend(table.main.rows.iter().map(|row| verdict_line(asked, row)));
    lines
}

/// The verdicts of our seeds beside the published one.
fn verdict_line(asked: &[Asked], row: &MainRow) -> Line {
    let trained = |a: &&Asked| a.spec.rule.name == row.rule && !frozen(a) && a.run.is_some();
    let runs = asked.iter().filter(trained).count();
    let audits: Vec<&Audit> = asked.iter().filter(trained).filter_map(|a| a.audit.as_ref()).collect();
    let said = match runs {
        0 => "*not run*".to_owned(),
        _ => verdicts(&audits).unwrap_or_else(|| "*not audited*".to_owned()),
    };
    // Verdicts agree or not; there is no distance. Without a baseline nothing can be said about a verdict that names D3.
    let agreement: Option<Vec<bool>> = audits.iter().map(|audit| agrees(&row.verdict, audit)).collect();
    let agreement = agreement.filter(|agreement| !agreement.is_empty());
    let deviation = agreement.map(|all| if all.iter().all(|&agrees| agrees) { 0.0 } else { f64::INFINITY });
    let what = format!("verdict, {}", row.rule);
    Line::said((Kind::Checks, &row.rule), what, runs, said, row.verdict.clone(), deviation)
}

/// Whether a seed has the published verdict: all three checks, or none. `None` where only D3, which was not assessed, could tell.
fn agrees(published: &str, audit: &Audit) -> Option<bool> {
    match published {
        "D1 D2 D3" => match verdict(audit).as_str() {
            "FAIL(D1+D2), D3 not assessed" => None,
            words => Some(words == "FAIL(D1+D2+D3)"),
        },
        _ => Some(matches!(audit.verdict, Verdict::Pass { .. })),
    }
}

/// ‖g_l‖ layer by layer, published of seed 42.
fn profiles(asked: &[Asked]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in &published().hero.rows {
        for (l, &gradient) in row.gradient.iter().enumerate() {
            let of_run = |run: &Run| end(run)?.evaluation.gradient().get(l).map(|&p| at_floor(p));
            let ours = runs_of(asked, &row.rule, |a| !frozen(a)).map(of_run);
            let what = format!("‖g_{l}‖ (N={FLOOR_SAMPLES}), {}", row.rule);
            lines.push(line((Kind::Gradient, &row.rule), what, ours, Known::Norms(vec![gradient])));
        }
    }
    lines
}

/// The first epochs: cosines after epoch 1, ‖g_L‖ with the published N; and growth after the last one.
fn early(asked: &[Asked]) -> Vec<Line> {
    let table = &published().early;
    let runs = || runs_of(asked, &table.rule, |a| !frozen(a));
    let after = |run: &'_ Run, epoch: usize| run.epochs.get(epoch).map(|epoch| epoch.evaluation.clone());
    let deep = runs().map(|run| {
        let cosines = after(run, 1)?.cosine_at_input().to_vec();
        mean(&cosines.iter().skip(1).filter_map(Measured::value).collect::<Vec<f64>>())
    });
    let first = runs().map(|run| after(run, 1)?.cosine_at_input().first()?.value());
    let known = statistics(table.first.iter().copied()).expect("published");
    let known = Value { mean: known.mean, sd: known.sd, text: None };
    let rule = &table.rule;
    let cosine = (Kind::Cosine, rule.as_str());
    let mut lines = vec![
        line(cosine, format!("cosine, l ≥ 1, after epoch 1, {rule}"), deep, Known::Value(table.deep)),
        line(cosine, format!("cosine, l = 0, after epoch 1, {rule}"), first, Known::Value(known)),
    ];
    for (before, gradient) in table.gradient.iter().enumerate() {
        let epoch = before + 1;
        let ours = runs().map(|run| Some(of_mean(*after(run, epoch)?.gradient().last()?, table.samples)));
        let what = format!("‖g_L‖ (N={}) after epoch {epoch}, {rule}", table.samples);
        lines.push(line((Kind::Gradient, rule), what, ours, Known::Norms(gradient.clone())));
    }
    let growth = runs().map(|run| Some(end(run)?.evaluation.growth));
    let known = Known::Printed(table.growth.clone());
    lines.push(line((Kind::State, rule), format!("growth, {rule}"), growth, known));
    lines
}

/// After which epochs D1 and D2 first fired, per seed; D2 with the published N.
fn firing(asked: &[Asked]) -> [Line; 2] {
    let table = &published().firing;
    let first = |check: &dyn Fn(&Evaluation, &Thresholds) -> Outcome, known: &[u64], what: String| {
        let trained = |a: &&Asked| a.spec.rule.name == table.rule && !frozen(a);
        // Of each run the epoch, or none if it never fired.
        let first_epoch = |a: &Asked| -> Option<Option<u64>> {
            let mut epochs = a.run.as_ref()?.epochs.iter();
            let found = epochs.find(|epoch| check(&epoch.evaluation, &a.spec.thresholds) == Outcome::Fires);
            Some(found.map(|epoch| epoch.epoch))
        };
        // A missing seed keeps its place, since the published ones are in the same order.
        let ours: Vec<Option<Option<u64>>> = asked.iter().filter(trained).map(first_epoch).collect();
        let found: Vec<Option<u64>> = ours.iter().copied().flatten().collect();
        let runs = found.len();
        let deviation = (runs == known.len()).then(|| of_epochs(&found, known));
        let word = |first: &Option<Option<u64>>| match first {
            None => "–".to_owned(),
            Some(None) => "never".to_owned(),
            Some(Some(epoch)) => epoch.to_string(),
        };
        let places: Vec<String> = ours.iter().map(word).collect();
        let said = if runs == 0 { "*not run*".to_owned() } else { places.join(", ") };
        let known: Vec<String> = known.iter().map(u64::to_string).collect();
        Line::said((Kind::Checks, &table.rule), what, runs, said, known.join(", "), deviation)
    };
    let growth = |seen: &Evaluation, limits: &Thresholds| scale_stability(Some(seen.growth), limits);
    let floor = |seen: &Evaluation, limits: &Thresholds| {
        let gradient = seen.gradient().last().map(|&p| of_mean(p, table.samples));
        reference_validity(gradient, Some(seen.error), limits)
    };
    let rule = &table.rule;
    [
        first(&growth, &table.growth, format!("D1 from epoch, {rule}")),
        first(&floor, &table.floor, format!("D2 from epoch (N={}), {rule}", table.samples)),
    ]
}

/// The verdicts of seeds; `None` without any. A pass never stands without the units that it would hide: those whose credit is
/// at chance or misleads by most seeds.
fn verdicts(audits: &[&Audit]) -> Option<String> {
    let words = joined(audits.iter().map(|audit| verdict(audit)).collect())?;
    let passes = audits.iter().any(|audit| matches!(audit.verdict, Verdict::Pass { .. }));
    let units = audits.iter().map(|audit| audit.units.len()).max().unwrap_or(0);
    let of_unit = |unit: usize| audits.iter().filter_map(|a| Some(a.units.get(unit)?.standing)).collect();
    let hidden = protocol::unhelped((0..units).map(of_unit)).filter(|_| passes);
    Some(hidden.map_or(words.clone(), |hidden| format!("{words}, {hidden}")))
}

/// The verdict that all seeds share, or how many have which.
fn joined(mut said: Vec<String>) -> Option<String> {
    said.sort();
    let seeds = said.len();
    let groups: Vec<&[String]> = said.chunk_by(|a, b| a == b).collect();
    match groups[..] {
        [] => None,
        [one] => Some(one[0].clone()),
        _ => {
            let count = |group: &&[String]| format!("{} ({} of {seeds})", group[0], group.len());
            Some(groups.iter().map(count).collect::<Vec<_>>().join("; "))
        }
    }
}

/// A verdict; where another check fired and D3 was not assessed, it says so.
fn verdict(audit: &Audit) -> String {
    let d3 = audit.checks.iter().find(|check| check.check == CheckId::D3);
    let open = d3.is_some_and(|check| matches!(check.outcome, Outcome::NotAssessed { .. }));
    match &audit.verdict {
        Verdict::Fail { .. } if open => format!("{}, D3 not assessed", audit.verdict.words()),
        verdict => verdict.words(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn seeds_that_agree_share_one_verdict() {
        let joined = |said: &[&str]| joined(said.iter().map(|s| (*s).to_owned()).collect());
        assert_eq!(joined(&[]), None);
        assert_eq!(joined(&["PASS", "PASS"]).as_deref(), Some("PASS"));
        assert_eq!(
            joined(&["PASS", "FAIL(D1)", "PASS"]).as_deref(),
            Some("FAIL(D1) (1 of 3); PASS (2 of 3)")
        );
    }

    /// A run of the study whose growth and gradient are NaN from epoch 2 on.
    #[test]
    fn what_is_not_a_number_fires() {
        let study = crate::study::Study::named("main").expect("a study");
        let specs = study.recipe(false).and_then(|recipe| recipe.runs()).expect("valid");
        let rule = &published().firing.rule;
        let trained =
            |spec: &lab::RunSpec| spec.rule.name == *rule && spec.modifiers.trainable_last != Some(0);
        let spec = specs.into_iter().find(trained).expect("the study trains it");
        let epoch = |epoch: u64| {
            let x = if epoch < 2 { json!(1.0) } else { json!("nan") };
            let value = json!({
                "epoch": epoch, "lr": null, "train": null, "test": {"loss": 1.0, "accuracy": 0.3},
                "evaluation": {"samples": 8, "hidden": [1.0, x], "gradient": [1.0, x], "credit": [], "error": 0.9,
                    "growth": x, "cosine": [], "cosine_at_input": []},
                "train_seconds": 0.0, "evaluation_seconds": 0.0,
            });
            serde_json::from_value(value).expect("an epoch")
        };
        let record = json!({
            "schema": "creditscope.run/1", "id": spec.id, "rule": rule, "status": {"state": "finished"}, "drift": null,
            "network": {"name": "resmlp", "inputs": 1, "width": 1, "blocks": 1, "classes": 2, "parameters": 1},
            "provenance": {"version": "0", "recipe_hash": "", "data": "", "data_hash": "", "seed": 42,
                "machine": {"cpu": "", "cores": 1, "system": ""}, "threads": 1, "started": "", "ended": null,
                "resumed": 0},
        });
        let run = record::Run {
            path: "made".into(),
            record: serde_json::from_value(record).expect("a record"),
            recipe: std::collections::BTreeMap::new(),
            epochs: (0..4).map(epoch).collect(),
        };
        let lines = firing(&[Asked { spec, run: Some(run), audit: None }]);
        assert_eq!(lines.map(|line| line.cells()[0].clone()), ["2", "2"]);
    }
}
