//! The keys that authors set: the one list that files, messages and `figure init` follow. On the command line each is a flag
//! of that name, with hyphens.

use crate::catalogue::composed::keys::{Key, key};

/// Every key.
pub const KEYS: [Key; 20] = [
    key("rules", "the rules to show, in this order, such as [\"bp\", \"fa\", \"dfa\"]"),
    key("settings", "which runs, by keys of the recipe or the short d and L, such as { d = 512, L = 12 }"),
    key("label", "names of rules, with TeX between dollar signs, such as { dfa = \"DFA ($B$ fixed)\" }"),
    key("colour", "colours of rules, such as { dfa = \"#b2182b\" }"),
    key(
        "marker",
        "markers of rules: circle, square, diamond, up, down, left, right, pentagon, hexagon, star, plus, cross, bar",
    ),
    key(
        "spread",
        "what bands and whiskers show of several seeds: \"sd\", \"sem\", \"minmax\", \"seeds\" or \"ci95\"",
    ),
    key("convention", "where credit is compared with the gradient: \"credit\" or, as published, \"input\""),
    key(
        "scale",
        "\"linear\", \"log\" or \"symlog\" for axes, such as { B = \"log\" }, or { \"B.x\" = \"log\" } across",
    ),
    key("range", "ends of axes, such as { B = [0, 1] }, or { \"B.x\" = [0, 50] } across"),
    key("panel", "one panel alone, by its letter or name"),
    key("bare", "true: no titles, boxes and foot; they go to NAME.tex and NAME.txt"),
    key("style", "\"paper\" (serif) or \"slides\" (sans serif, large)"),
    key(
        "venue",
        "\"neurips\", \"iclr\", \"icml\", \"nature\" or \"beamer\": width, greatest height, letters",
    ),
    key("span", "\"page\" or \"column\", for a venue that has columns"),
    key("width", "inches"),
    key("height", "inches"),
    key("columns", "panels in a row; fewer only where they have no room at all"),
    key("font", "new-computer-modern, libertinus, sans, or files (.ttf, .otf): regular, bold, italic"),
    key("ground", "\"white\", \"transparent\" or \"dark\""),
    key("svg_text", "true: letters of SVG files are text that can be edited, in place of outlines"),
];
