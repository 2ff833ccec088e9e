//! Axes as figures ask for them.

/// How an axis is divided.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub enum AxisKind {
    Linear,
    Log,
    /// Logarithmic on both sides of zero, linear within about this much of it.
    Signed(f64),
    /// Names at 0, 1, 2, ….
    Categories(Vec<String>),
}

/// What a coordinate along an axis says about a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the other names say it")]
pub enum Says {
    /// Nothing new.
    Nothing,
    /// Its value, or `x` along the horizontal axis.
    Number,
    Epoch,
    /// Its unit, by name or block number.
    Unit,
    State,
}

/// An axis before its range is known.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Axis {
    pub label: Option<String>,
    pub kind: AxisKind,
    /// Values that its range must include.
    pub includes: Vec<f64>,
    /// Its ends, if they are not to follow from the values; what is beyond them is not drawn.
    pub range: Option<(f64, f64)>,
    /// Ticks and their labels; chosen automatically if `None`.
    pub ticks: Option<Vec<(f64, String)>>,
    /// Whether ticks are whole numbers.
    pub whole: bool,
    /// Whether tick labels are percentages.
    pub percent: bool,
    /// Whether tick labels are printed; an axis shared with the panel below has none.
    pub labelled: bool,
    /// Whether the range has no margin.
    pub tight: bool,
    /// Lines of text that each name of a vertical axis has room for.
    pub lines: f64,
    pub says: Says,
}

impl Axis {
    fn of(kind: AxisKind, label: &str) -> Self {
        Self {
            label: (!label.is_empty()).then(|| label.to_owned()),
            kind,
            includes: Vec::new(),
            range: None,
            ticks: None,
            whole: false,
            percent: false,
            labelled: true,
            tight: false,
            lines: 1.0,
            says: Says::Number,
        }
    }

    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self::of(AxisKind::Linear, label)
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self::of(AxisKind::Log, label)
    }

    /// An axis for values of both signs and many magnitudes; those below `least` are drawn near zero.
    pub fn signed(label: &str, least: f64) -> Self {
        Self::of(AxisKind::Signed(least), label)
    }

    /// Epochs: whole numbers.
    pub fn epochs() -> Self {
        Self { whole: true, says: Says::Epoch, ..Self::linear("Epoch") }
    }

    /// Units or states: whole numbers.
    pub fn layers(label: &str, says: Says) -> Self {
        Self { whole: true, says, ..Self::linear(label) }
    }

    /// An axis of names, the first at 0.
    pub fn categories(label: &str, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let kind = AxisKind::Categories(names.into_iter().map(Into::into).collect());
        Self { says: Says::Nothing, ..Self::of(kind, label) }
    }

    /// Extends the range to these values.
    pub fn including(mut self, values: impl IntoIterator<Item = f64>) -> Self {
        self.includes.extend(values);
        self
    }

    /// Sets the ticks.
    pub(crate) fn ticked(self, ticks: impl IntoIterator<Item = (f64, String)>) -> Self {
        Self { ticks: Some(ticks.into_iter().collect()), ..self }
    }

    /// With tick labels in percent.
    pub fn in_percent(self) -> Self {
        Self { percent: true, ..self }
    }

    /// Whether it has names in place of numbers.
    pub(crate) fn is_of_names(&self) -> bool {
        matches!(self.kind, AxisKind::Categories(_))
    }

    /// Whether it is a plain logarithmic axis.
    pub fn is_log(&self) -> bool {
        self.kind == AxisKind::Log
    }

    /// A value as the table prints it: the name, on an axis of names.
    pub(crate) fn word(&self, value: f64) -> String {
        match &self.kind {
            AxisKind::Categories(names) => {
                let name = (value.round() >= 0.0).then(|| names.get(value.round() as usize)).flatten();
                name.map_or_else(|| value.to_string(), |name| name.replace('\n', " "))
            }
            _ if value.is_nan() => String::new(),
            _ => value.to_string(),
        }
    }
}
