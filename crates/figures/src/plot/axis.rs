//! Axes as figures ask for them.

/// How an axis is divided.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Log,
    /// By powers of ten to both sides of zero, evenly within about this much of it.
    Signed(f64),
    /// Names at 0, 1, 2, ….
    Categories(Vec<String>),
}

/// What a value along an axis says about a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Nothing that the mark does not say itself.
    Nothing,
    /// That it is the value, or the place along an axis that has no name of its own.
    Number,
    /// After which epoch it was measured.
    Epoch,
    /// Of which unit: by name, or of a block by its number.
    Unit,
    /// Of which state.
    State,
}

/// An axis before its range is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows.
    pub label: Option<String>,
    /// How it is divided.
    pub kind: Kind,
    /// Values that have to lie within its range.
    pub includes: Vec<f64>,
    /// Ticks and their labels, where they are given.
    pub ticks: Option<Vec<(f64, String)>>,
    /// Whether only whole numbers are labelled.
    pub whole: bool,
    /// Whether tick labels are shares of 1 to be printed as percentages.
    pub percent: bool,
    /// Whether tick labels are printed; an axis shared with the panel below has none.
    pub labelled: bool,
    /// Whether the range starts at the smallest value and ends at the largest, without room beyond.
    pub tight: bool,
    /// What a value along it says about a mark.
    pub says: Says,
}

impl Axis {
    fn of(kind: Kind, label: &str) -> Self {
        Self {
            label: (!label.is_empty()).then(|| label.to_owned()),
            kind,
            includes: Vec::new(),
            ticks: None,
            whole: false,
            percent: false,
            labelled: true,
            tight: false,
            says: Says::Number,
        }
    }

    /// An evenly divided axis.
    pub fn linear(label: &str) -> Self {
        Self::of(Kind::Linear, label)
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self::of(Kind::Log, label)
    }

    /// An axis for values of both signs and many sizes; what is below `least` lies at zero or next to it.
    pub fn signed(label: &str, least: f64) -> Self {
        Self::of(Kind::Signed(least), label)
    }

    /// Epochs: whole numbers.
    pub fn epochs() -> Self {
        Self { whole: true, says: Says::Epoch, ..Self::linear("Epoch") }
    }

    /// Units or states: whole numbers.
    pub fn layers(label: &str, says: Says) -> Self {
        Self { whole: true, says, ..Self::linear(label) }
    }

    /// Names, the first at 0.
    pub fn categories(label: &str, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let kind = Kind::Categories(names.into_iter().map(Into::into).collect());
        Self { says: Says::Nothing, ..Self::of(kind, label) }
    }

    /// With these values within its range.
    pub fn including(mut self, values: impl IntoIterator<Item = f64>) -> Self {
        self.includes.extend(values);
        self
    }

    /// With these ticks.
    pub fn ticked(self, ticks: impl IntoIterator<Item = (f64, String)>) -> Self {
        Self { ticks: Some(ticks.into_iter().collect()), ..self }
    }

    /// With tick labels in percent.
    pub fn in_percent(self) -> Self {
        Self { percent: true, ..self }
    }

    /// Whether it is logarithmic.
    pub fn is_log(&self) -> bool {
        self.kind == Kind::Log
    }

    /// A value as a table prints it: the name, on an axis of names.
    pub(crate) fn word(&self, value: f64) -> String {
        match &self.kind {
            Kind::Categories(names) => {
                let name = (value.round() >= 0.0).then(|| names.get(value.round() as usize)).flatten();
                name.map_or_else(|| value.to_string(), |name| name.replace('\n', " "))
            }
            _ if value.is_nan() => String::new(),
            _ => value.to_string(),
        }
    }
}
