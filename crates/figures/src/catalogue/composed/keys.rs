//! The keys of a figure file: the one list that messages, checks and `figure init` follow.

/// A key.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes, and what it does.
    pub meaning: &'static str,
}

pub(in crate::catalogue) const fn key(name: &'static str, meaning: &'static str) -> Key {
    Key { name, meaning }
}

/// Keys of the whole figure, above the first `[[panel]]`; beside them stand those that any figure has.
pub const FIGURE: [Key; 5] = [
    key("share", "of the style's width, where nothing else says a width"),
    key("aspect", "height of a plot area as a share of its width"),
    key("widest", "largest width of a plot area as a share of the page"),
    key(
        "title",
        "above the panels, with TeX between dollar signs; data and network by itself, \"\" for none",
    ),
    key("where", "conditions on the runs of all panels, such as { rule = [\"bp\", \"dfa\"], net.d = 256 }"),
];

/// Keys of a `[[panel]]`.
pub const PANEL: [Key; 16] = [
    key("kind", "\"line\", \"heat\" (layers upwards, values as colours), \"scatter\" or \"bars\""),
    key(
        "x",
        "\"epoch\", \"layer\", \"rule\", \"seed\" or a key of the recipe such as \"rule.penalty\"; of a scatter plot a series",
    ),
    key("x_scale", "\"log\": the first epochs are as wide as the many at the end; or \"linear\""),
    key(
        "y",
        "a series of the log or a number of a run: \"cosine\", \"hidden[-1]\" (the last layer), \"test_accuracy\"",
    ),
    key("group", "what the lines or bars differ in: \"rule\", \"layer\", \"seed\" or a key of the recipe"),
    key("per", "one panel for each: \"rule\", \"seed\" or a key of the recipe"),
    key("where", "conditions on the runs, beside those of the figure"),
    key(
        "aggregate",
        "over seeds: \"mean\" (with spread), \"median\", \"min\", \"max\" or \"seeds\" (each by itself)",
    ),
    key(
        "scale",
        "\"linear\", \"log\", \"auto\", or \"signed 1e-6\": logarithmic on both sides of zero but for what is smaller",
    ),
    key("range", "[low, high]: the ends of the vertical axis, or of the colours"),
    key("include", "values that the vertical axis reaches at least, such as [0]"),
    key("label", "of the vertical axis, with TeX between dollar signs"),
    key("guides", "lines across: numbers, \"chance\" or \"floor\" (of D2)"),
    key("percent", "true for accuracies in percent"),
    key("title", "of the panel; with `per`, before each name"),
    key("name", "of the panel in the CSV"),
];
