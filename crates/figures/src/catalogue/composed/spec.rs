//! What a figure file says, checked.

use super::field::Field;
use super::quantity::Quantity;
use super::select::Condition;
use crate::catalogue::options::Assignment;

/// A figure composed by a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// The file's stem, which the files of the figure carry too.
    pub name: String,
    /// Height of a plot area as a share of its width.
    pub(super) aspect: Option<f64>,
    /// Largest width of a plot area as a share of the page.
    pub(super) widest: Option<f64>,
    /// What the file decides as a command line can.
    pub options: Vec<Assignment>,
    /// The share of a page that it takes, unless a width is given.
    pub(super) share: Option<f64>,
    /// Above the panels, as label source; data and network if the file says nothing.
    pub(super) title: Option<String>,
    /// One at least.
    pub(super) panels: Vec<Panel>,
}

/// How a panel draws its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Heat,
    Scatter,
    Bars,
}

/// What lies along the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Along {
    Epoch,
    Layer,
    /// Rule, seed or a key of the recipe.
    Field(Field),
    /// Another quantity, of a scatter plot.
    Quantity(Quantity),
}

/// What lines or bars of a panel differ in.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Group {
    Layer,
    Field(Field),
}

/// What becomes of several seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    /// Mean with spread.
    Mean,
    Median,
    Least,
    Largest,
    /// All of them, each by itself.
    Seeds,
}

/// How the vertical axis is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    Linear,
    Log,
    /// Logarithmic on both sides of zero, linear within this.
    Signed(f64),
    /// Logarithmic if the values span more than a decade and a half.
    Auto,
}

/// A line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Across {
    At(f64),
    /// The accuracy of guessing.
    Chance,
    /// The floor of D2.
    Floor,
}

/// One entry of `[[panel]]`; several panels if it has one for each rule or key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Panel {
    /// Where it begins, as `file:line`.
    pub(super) place: String,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) kind: Kind,
    pub(super) x: Along,
    /// Whether epochs are spaced by orders of magnitude.
    pub(super) log_x: bool,
    pub(super) y: Quantity,
    pub(super) group: Group,
    /// One panel for each of its values.
    pub(super) per: Option<Field>,
    /// Conditions of the panel and of the whole figure.
    pub(super) conditions: Vec<Condition>,
    pub(super) aggregate: Aggregate,
    pub(super) scale: Option<Scale>,
    pub(super) range: Option<(f64, f64)>,
    /// Values that the vertical axis includes at least.
    pub(super) include: Vec<f64>,
    pub(super) label: Option<String>,
    pub(super) guides: Vec<Across>,
    pub(super) percent: bool,
}

impl Panel {
    /// Whether norms and the like are averaged as orders of magnitude.
    pub(super) fn is_log(&self) -> bool {
        match self.scale {
            None => self.y.scale() == record::series::Scale::Log,
            Some(scale) => scale == Scale::Log,
        }
    }

    /// What its trials may differ in without being another setting or variant.
    pub(super) fn named(&self) -> Vec<Field> {
        let along = match &self.x {
            Along::Field(field) => Some(field),
            _ => None,
        };
        let grouped = match &self.group {
            Group::Field(field) => Some(field),
            Group::Layer => None,
        };
        let conditions = self.conditions.iter().map(|condition| &condition.field);
        let mut named: Vec<Field> =
            along.into_iter().chain(grouped).chain(&self.per).chain(conditions).cloned().collect();
        named.dedup();
        named
    }

    /// The keys among them.
    pub(super) fn keys<'a>(named: &'a [Field]) -> Vec<&'a str> {
        let key = |field: &'a Field| match field {
            Field::Key(key) => Some(key.as_str()),
            _ => None,
        };
        named.iter().filter_map(key).collect()
    }

    /// The quantities that it shows.
    pub(super) fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let along = match &self.x {
            Along::Quantity(quantity) => Some(quantity),
            _ => None,
        };
        std::iter::once(&self.y).chain(along)
    }

    /// What keeps the parts from fitting together, if anything does; `by_layer` tells quantities that have a value for each
    /// layer.
    pub(super) fn contradiction(&self, by_layer: impl Fn(&Quantity) -> bool) -> Option<String> {
        let y = &self.y.name;
        let layered = by_layer(&self.y);
        let takes_layers = self.kind == Kind::Heat || self.x == Along::Layer || self.group == Group::Layer;
        let along_layers_twice =
            self.x == Along::Layer && (self.kind == Kind::Heat || self.group == Group::Layer);
        let is_field = matches!(self.x, Along::Field(_));
        if along_layers_twice {
            return Some("layers are shown twice: take another `x` or `group`".to_owned());
        }
        if layered && !takes_layers {
            return Some(format!(
                "`{y}` has a value for each layer: give x = \"layer\" or group = \"layer\", or take one of them, such as \
                 y = \"{y}[-1]\""
            ));
        }
        if takes_layers && !layered {
            return Some(format!("`{y}` is one number here, and the panel shows layers"));
        }
        if let Along::Quantity(x) = &self.x
            && by_layer(x)
        {
            let name = &x.name;
            return Some(format!(
                "`{name}` has a value for each layer: take one of them, such as x = \"{name}[-1]\""
            ));
        }
        match self.kind {
            Kind::Bars if !is_field => Some("bars need x = \"rule\" or a key of the recipe".to_owned()),
            Kind::Scatter if !matches!(self.x, Along::Quantity(_)) => {
                Some("a scatter plot needs a series as `x`, such as x = \"gamma\"".to_owned())
            }
            Kind::Line | Kind::Heat if matches!(self.x, Along::Quantity(_)) => {
                let Along::Quantity(x) = &self.x else { return None };
                Some(format!("x = \"{}\" is a series, which is for scatter plots", x.name))
            }
            Kind::Bars | Kind::Scatter if self.group == Group::Layer => {
                Some("group = \"layer\" is for lines".to_owned())
            }
            _ => None,
        }
    }
}
