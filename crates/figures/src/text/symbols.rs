//! Characters and what they are in TeX, for captions and descriptions.

/// Commands of formulas without their backslash, and the characters that they print.
const COMMANDS: [(&str, char); 56] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Sigma", 'Σ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
    ("times", '×'),
    ("cdot", '·'),
    ("pm", '±'),
    ("ge", '≥'),
    ("geq", '≥'),
    ("le", '≤'),
    ("leq", '≤'),
    ("ne", '≠'),
    ("neq", '≠'),
    ("approx", '≈'),
    ("sim", '∼'),
    ("infty", '∞'),
    ("nabla", '∇'),
    ("partial", '∂'),
    ("to", '→'),
    ("rightarrow", '→'),
    ("in", '∈'),
    ("sum", '∑'),
    ("sqrt", '√'),
    ("ldots", '…'),
    ("dots", '…'),
    ("cdots", '⋯'),
    ("ell", 'ℓ'),
    ("circ", '∘'),
    ("|", '‖'),
    ("langle", '⟨'),
    ("rangle", '⟩'),
];

/// Characters of text that LaTeX writes in another way.
const LETTERS: [(char, &str); 26] = [
    ('\\', "\\textbackslash{}"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('%', "\\%"),
    ('#', "\\#"),
    ('_', "\\_"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('<', "$<$"),
    ('>', "$>$"),
    ('|', "$|$"),
    ('−', "$-$"),
    ('–', "--"),
    ('—', "---"),
    ('“', "``"),
    ('”', "''"),
    ('‘', "`"),
    ('’', "'"),
    ('…', "\\ldots{}"),
    ('\u{a0}', "~"),
    ('\u{2009}', "\\,"),
    ('²', "$^2$"),
    ('³', "$^3$"),
    ('⁻', "$^-$"),
];

/// The character that a command prints.
pub(super) fn character(command: &str) -> Option<char> {
    COMMANDS.iter().find(|(name, _)| *name == command).map(|(_, c)| *c)
}

/// A character of text as LaTeX writes it.
pub(super) fn in_text(c: char) -> String {
    if let Some((_, tex)) = LETTERS.iter().find(|(known, _)| *known == c) {
        return (*tex).to_owned();
    }
    command(c).map_or_else(|| c.to_string(), |command| format!("$\\{command}$"))
}

/// A character of a formula as LaTeX writes it.
pub(super) fn in_formula(c: char) -> String {
    match c {
        '−' => "-".to_owned(),
        _ => command(c).map_or_else(|| c.to_string(), |command| format!("\\{command} ")),
    }
}

fn command(c: char) -> Option<&'static str> {
    COMMANDS.iter().find(|(_, known)| *known == c).map(|(name, _)| *name)
}
