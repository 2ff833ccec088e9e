//! Label source in other forms: for LaTeX, and as plain characters that a screen reader can speak.

use super::source::{self, Span};
use super::symbols::{character, in_formula, in_text};

/// Commands whose argument is printed as it stands, or that print nothing.
const SILENT: &str = " mathrm mathcal mathbf mathbb mathit mathsf text textrm operatorname boldsymbol left right big Big displaystyle ";
/// Digits and signs above the line.
const RAISED: [(char, char); 12] = [
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('-', '⁻'),
    ('+', '⁺'),
];

/// Label source as LaTeX writes it, on one line.
pub(crate) fn latex(source: &str) -> String {
    let text = |text: &str| text.chars().map(in_text).collect::<String>();
    let formula = |formula: &str| format!("${}$", formula.chars().map(in_formula).collect::<String>());
    written(source, text, formula)
}

/// Label source in plain characters, on one line.
pub(crate) fn plain(source: &str) -> String {
    written(source, str::to_owned, spoken)
}

fn written(source: &str, text: impl Fn(&str) -> String, formula: impl Fn(&str) -> String) -> String {
    let span = |span: &Span| match span {
        Span::Text(words) => text(words),
        Span::Math(math) => formula(math),
    };
    let line = |spans: &Vec<Span>| spans.iter().map(span).collect::<String>();
    // What cannot be read as label source is text.
    let lines = source::lines(source);
    lines.map_or_else(|_| text(source), |lines| lines.iter().map(line).collect::<Vec<_>>().join(" "))
}

/// A formula in plain characters: `10^{-2}` as 10⁻², `\|h_L\|` as ‖h_L‖.
fn spoken(formula: &str) -> String {
    let mut out = String::new();
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let end = letters.max(rest.chars().next().map_or(0, char::len_utf8));
                let (command, after) = rest.split_at(end);
                rest = after;
                match (character(command), command) {
                    (Some(c), _) => out.push(c),
                    (None, "," | ";" | ":" | " " | "quad" | "qquad") => out.push(' '),
                    (None, "!") => {}
                    (None, "frac" | "tfrac" | "dfrac") => {
                        let above = group(&mut rest);
                        let below = group(&mut rest);
                        out.push_str(&format!("{}/{}", spoken(above), spoken(below)));
                    }
                    (None, silent) if SILENT.split(' ').any(|known| known == silent) => {}
                    (None, other) => out.push_str(other),
                }
                if letters > 0 {
                    rest = rest.trim_start();
                }
            }
            '{' | '}' => {}
            '~' => out.push(' '),
            '^' => {
                let above = spoken(group(&mut rest));
                let raised = |c: char| RAISED.iter().find(|(low, _)| *low == c).map(|(_, high)| *high);
                match above.chars().map(raised).collect::<Option<String>>() {
                    Some(digits) => out.push_str(&digits),
                    None => out.push_str(&format!("^{above}")),
                }
            }
            '_' => {
                let below = spoken(group(&mut rest));
                let is_short = below.chars().count() == 1 || below.chars().all(char::is_alphanumeric);
                out.push_str(&if is_short { format!("_{below}") } else { format!("_({below})") });
            }
            _ => out.push(c),
        }
    }
    out
}

/// Takes the next group or character off a formula.
fn group<'a>(rest: &mut &'a str) -> &'a str {
    let text = rest.trim_start();
    let mut depth = 0;
    let mut end = text.chars().next().map_or(0, char::len_utf8);
    if text.starts_with('\\') {
        let letters = text[1..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len() - 1);
        end = 1 + letters.max(text[1..].chars().next().map_or(0, char::len_utf8));
    }
    if text.starts_with('{') {
        let closing = text.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        });
        end = closing.map_or(text.len(), |(at, _)| at + 1);
    }
    let (group, after) = text.split_at(end);
    *rest = after;
    group.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_spoken_in_characters() {
        for (source, wanted) in [
            (r"median $\|g_l\|_2$ ($N{=}128$)", "median ‖g_l‖_2 (N=128)"),
            (r"$\lambda{=}10^{-2}$ \& 5\%", "λ=10⁻² & 5%"),
            (r"$\cos(a_l,\, \nabla_{h_{l+1}}\mathcal{L})$", "cos(a_l, ∇_(h_(l+1))L)"),
            (r"$\|W_{\mathrm{final}}-W_{\mathrm{init}}\|$", "‖W_final-W_init‖"),
            (r"$5.0\times10^{3}$", "5.0×10³"),
            ("two\nlines", "two lines"),
        ] {
            assert_eq!(plain(source), wanted, "{source}");
        }
    }

    #[test]
    fn latex_has_no_character_that_ends_or_breaks_it() {
        assert_eq!(
            latex(r"50\% of $h_l$ & “x”_1 – ρ ≥ 2 {a}"),
            r"50\% of $h_l$ \& ``x''\_1 -- $\rho$ $\ge$ 2 \{a\}"
        );
        assert_eq!(latex("λ in $λ$"), r"$\lambda$ in $\lambda $");
        // Not label source, so it is all text.
        assert_eq!(latex("costs $5"), r"costs \$5");
    }
}
