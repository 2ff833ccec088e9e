//! From a checked file and the records to a figure.

use super::axes::same_ends;
use super::field::word;
use super::parse::CompositionError;
use super::plot::Plot;
use super::select::{Accepted, Cohort};
use super::spec::{Along, Composition, Kind, Panel};
use super::{bars, foot, heat, lines, scatter};
use crate::catalogue::choose::{Chosen, choose};
use crate::catalogue::request::{CatalogueError, Drawing, Request};
use crate::catalogue::{PublishedAccuracies, meaning, plain};
use crate::plot::{Figure, LegendPlace, Panel as Picture, Spread};
use crate::reader::{Records, Trial};
use record::Remedy;

impl Composition {
    /// Draws the figure.
    pub fn draw(&self, request: &Request) -> Result<Drawing, CatalogueError> {
        self.panels.iter().try_for_each(|panel| panel.check(&request.records))?;
        let accepted =
            |panel: &Panel| Accepted::new(&request.records, &panel.conditions, &Panel::keys(&panel.named()));
        let held: Vec<Accepted<'_>> = self.panels.iter().map(accepted).collect();
        let mut chosen: Vec<Option<Chosen<'_>>> = Vec::new();
        for (panel, held) in self.panels.iter().zip(&held) {
            // Panels of the same runs share their setting.
            let alike =
                |other: &&Panel| other.conditions == panel.conditions && other.named() == panel.named();
            let together: Vec<&Panel> = self.panels.iter().filter(alike).collect();
            // Keys that are named are no longer modifiers; the copies carry them in words.
            let is_plain =
                |trial: &Trial| !Panel::keys(&panel.named()).is_empty() || trial.variant().is_plain();
            let has = |trial: &Trial| {
                is_plain(trial) && plain::is_curve(trial) && together.iter().any(|panel| panel.shows(trial))
            };
            chosen.push(choose(&held.copies, has));
        }
        let published = |panel: &Panel, chosen: Option<&Chosen<'_>>| {
            let known = request.published.as_ref().filter(|_| panel.is_of_accuracies())?;
            known.accuracies(chosen.and_then(|chosen| chosen.setting.blocks))
        };
        let any_published = self.panels.iter().find_map(|panel| published(panel, None));
        if chosen.iter().all(Option::is_none) && any_published.is_none() {
            return Err(self.nothing());
        }
        let spread = self.spread(request);
        let marks = foot::Marks::default();
        let mut drawn = Drawn { request, spread, notes: Vec::new(), panels: Vec::new(), marks };
        for ((panel, held), chosen) in self.panels.iter().zip(&held).zip(&chosen) {
            drawn.add(panel, held, chosen.as_ref(), published(panel, chosen.as_ref()))?;
        }
        let mut figure = Figure::row(drawn.panels);
        figure.columns = figure.columns.min(3);
        figure.aspect = self.aspect.unwrap_or(figure.aspect);
        figure.widest = self.widest.unwrap_or(figure.widest);
        figure.share = self.share.unwrap_or(figure.share);
        // Panels of one entry differ in what they are of alone.
        let alike = self.panels.len() == 1 && figure.panels.len() > 1;
        (figure.shares_x, figure.shares_y) = (alike, alike);
        let shown: Vec<&Chosen<'_>> = chosen.iter().flatten().collect();
        figure.title = match (&self.title, shown.first()) {
            (Some(title), _) => Some(title.clone()).filter(|title| !title.is_empty()),
            (None, None) => Some("Published accuracies".to_owned()),
            (None, Some(first)) => Some(plain::title(first)),
        };
        figure.foot = drawn.marks.foot(request, &shown, spread, any_published);
        let mut notes: Vec<String> = shown.iter().flat_map(|chosen| chosen.notes.iter().cloned()).collect();
        notes.extend(drawn.notes);
        let mut seen = Vec::new();
        notes.retain(|note| {
            !seen.contains(note) && {
                seen.push(note.clone());
                true
            }
        });
        let published = any_published.map(|table| format!("published: {} ({})", table.source, table.setting));
        let trials = shown.iter().flat_map(|chosen| chosen.trials());
        let figure = if alike { figure } else { figure.lettered() };
        Ok(Drawing::of(figure, trials, notes).and_from(published))
    }

    /// One meaning of all bands and error bars. Along a logarithmic axis, it is from the smallest to the largest seed.
    fn spread(&self, request: &Request) -> Spread {
        let is_log = |panel: &Panel| panel.kind == Kind::Line && panel.x != Along::Layer && panel.is_log();
        request.spread(if self.panels.iter().any(is_log) { Spread::MinMax } else { Spread::Sd })
    }

    fn nothing(&self) -> CatalogueError {
        let mut names: Vec<String> =
            self.panels.iter().flat_map(Panel::quantities).map(|quantity| format!("`{quantity}`")).collect();
        names.dedup();
        let audited =
            self.panels.iter().flat_map(Panel::quantities).any(super::quantity::Quantity::needs_audit);
        let remedy = match self.panels.iter().any(Panel::is_of_accuracies) {
            true => Some(Remedy::Published),
            false => audited.then_some(Remedy::Audit),
        };
        CatalogueError::nothing(&self.name, &format!("runs with {}", names.join(" or ")), remedy)
    }
}

/// What has been drawn of a figure.
struct Drawn<'a> {
    request: &'a Request,
    spread: Spread,
    notes: Vec<String>,
    panels: Vec<Picture>,
    marks: foot::Marks,
}

impl Drawn<'_> {
    /// Adds the panels of an entry.
    fn add(
        &mut self,
        spec: &Panel,
        held: &Accepted<'_>,
        chosen: Option<&Chosen<'_>>,
        published: Option<&PublishedAccuracies>,
    ) -> Result<(), CatalogueError> {
        let request = self.request;
        let cohort: Cohort<'_> = chosen
            .into_iter()
            .flat_map(Chosen::trials)
            .filter_map(|copy| held.original(copy))
            .filter(|t| spec.shows(t))
            .collect();
        for lacking in chosen.into_iter().flat_map(|chosen| chosen.groups.iter()) {
            if !lacking.1.iter().any(|trial| spec.shows(trial)) {
                self.notes.push(format!("panel {}: no {} of {}", spec.name, spec.y.words(), lacking.0));
            }
        }
        let last = cohort.iter().filter_map(|trial| trial.last()).map(|epoch| epoch.epoch).max().unwrap_or(0);
        let plot = |cohort| Plot { request, spec, cohort, published, spread: self.spread };
        let parts = match &spec.per {
            None => vec![(None, plot(cohort))],
            Some(field) => {
                let parts = field.split(request, &cohort).into_iter();
                parts.map(|part| (Some((word(&part.value), part.name)), plot(part.cohort))).collect()
            }
        };
        let plots: Vec<&Plot<'_>> = parts.iter().map(|(_, plot)| plot).collect();
        plots.iter().try_for_each(|plot| plot.refuse_mixtures())?;
        let shade = (spec.kind == Kind::Heat).then(|| heat::shade(&plots));
        let start = self.panels.len();
        for (name, plot) in &parts {
            let elements = match spec.kind {
                Kind::Line => lines::draw(plot)?,
                Kind::Heat => shade.iter().flat_map(|shade| heat::draw(plot, shade)).collect(),
                Kind::Scatter => scatter::draw(plot),
                Kind::Bars => bars::draw(plot),
            };
            self.marks.note(spec, self.spread, &elements);
            let y = if spec.kind == Kind::Heat { heat::axis(plot) } else { plot.y_axis(&elements) };
            let key = name
                .as_ref()
                .map_or_else(|| spec.name.clone(), |(value, _)| format!("{}: {value}", spec.name));
            let mut picture = Picture::new(&key, plot.x_axis(last), y);
            picture.x.tight = spec.kind == Kind::Heat;
            picture.title = match (&spec.title, name) {
                (Some(title), Some((_, name))) => Some(format!("{title}: {name}")),
                (title, name) => title.clone().or(name.as_ref().map(|(_, name)| name.clone())),
            };
            if elements.is_empty() {
                picture.absent = Some(format!("no {} in these records", spec.y.words()));
            }
            plot.linear_part().into_iter().for_each(|region| picture.add(region));
            elements.into_iter().for_each(|element| picture.add(element));
            plot.guides().into_iter().for_each(|guide| picture.add(guide));
            let mut networks: Vec<&str> =
                plot.cohort.iter().map(|trial| trial.setting.network.as_str()).collect();
            networks.dedup();
            if let [network] = networks[..] {
                picture.network = Some(network.to_owned());
            }
            self.panels.push(picture);
        }
        same_ends(&mut self.panels[start..]);
        let several = self.panels.len() > 1 || spec.kind == Kind::Heat;
        if several {
            self.panels.iter_mut().for_each(|panel| panel.legend = LegendPlace::Figure);
        }
        Ok(())
    }
}

impl Panel {
    /// Refuses what cannot be drawn: names that no record knows, parts that do not fit together.
    fn check(&self, records: &Records) -> Result<(), CatalogueError> {
        let refuse =
            |message: String| CatalogueError::from(CompositionError { place: self.place.clone(), message });
        self.quantities().try_for_each(|quantity| quantity.check(records)).map_err(refuse)?;
        self.named().iter().try_for_each(|field| field.check(records)).map_err(refuse)?;
        match self.contradiction(|quantity| quantity.is_by_layer(records)) {
            Some(why) => Err(refuse(why)),
            None => Ok(()),
        }
    }

    /// Whether a trial has something for the panel.
    fn shows(&self, trial: &Trial) -> bool {
        self.quantities().all(|quantity| match self.x {
            Along::Epoch => {
                trial.epochs.iter().any(|epoch| quantity.after(epoch).iter().any(Option::is_some))
            }
            _ => quantity.at_end(trial).iter().flatten().any(|measured| measured.value().is_some()),
        })
    }

    /// Whether published accuracies may stand beside ours.
    fn is_of_accuracies(&self) -> bool {
        let by_rule = matches!(&self.x, Along::Field(super::field::Field::Rule));
        self.kind == Kind::Bars && by_rule && self.y.name == meaning::TEST_ACCURACY
    }
}
