//! Colour and marker of every rule, in one place. No two listed rules share a marker, and their colours stay distinct for
//! colour-blind readers (a test computes it).

use super::marker::Marker;
use crate::scene::Colour;

/// How a series is drawn, apart from sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the other names say it")]
pub struct Look {
    pub colour: Colour,
    pub marker: Marker,
    pub dash: Dash,
    /// Whether markers are only outlined, as published values are.
    pub hollow: bool,
}

impl Look {
    /// The look of published values of the same rule.
    pub(crate) fn published(self) -> Self {
        Self { dash: Dash::Dashed, hollow: true, ..self }
    }

    /// The look of a value: hollow where it is unreliable.
    pub(crate) fn hollow_unless(self, firm: bool) -> Self {
        Self { hollow: self.hollow || !firm, ..self }
    }
}

/// Dash patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Dash {
    Solid,
    Dashed,
    Dotted,
}

impl Dash {
    /// Lengths of dashes and gaps for a line of this width.
    pub(crate) fn lengths(self, width: f64) -> Vec<f64> {
        match self {
            Self::Solid => Vec::new(),
            Self::Dashed => vec![4.0 * width, 2.2 * width],
            Self::Dotted => vec![1.1 * width, 1.8 * width],
        }
    }
}

/// Colours and markers by rule, in the order of [`record::rules`].
const RULES: [(&str, u32, Marker); 11] = [
    ("bp", 0x2166ac, Marker::Circle),
    ("fa", 0xe08214, Marker::Square),
    ("dfa", 0xb2182b, Marker::Diamond),
    ("ep", 0x1f9e9a, Marker::Pentagon),
    ("state_bridge", 0x762a83, Marker::Up),
    ("credit_bridge", 0x98cc5c, Marker::Down),
    ("sign_symmetry", 0x3c3c3c, Marker::Plus),
    ("kolen_pollack", 0xd6a5d4, Marker::Cross),
    ("dkp", 0x40d8a8, Marker::Hexagon),
    ("drtp", 0x543005, Marker::Star),
    ("node_perturbation", 0x7b3fe4, Marker::Left),
];

/// Colours and markers that other rules take in turn.
const OTHERS: [(u32, Marker); 2] = [(0x7f7f7f, Marker::Bar), (0xf2c14e, Marker::Right)];

/// The look of a rule. One without a look of its own takes its turn among `unlisted`, all such rules in legend order.
pub fn look(rule: &str, unlisted: &[&str]) -> Look {
    let (ink, marker) = RULES.iter().find(|entry| entry.0 == rule).map_or_else(
        || {
            let turn = unlisted.iter().position(|name| *name == rule).unwrap_or(0);
            OTHERS[turn % OTHERS.len()]
        },
        |entry| (entry.1, entry.2),
    );
    Look { colour: Colour::hex(ink), marker, dash: Dash::Solid, hollow: false }
}

/// Whether a rule has a look of its own.
pub fn is_listed(rule: &str) -> bool {
    RULES.iter().any(|entry| entry.0 == rule)
}

/// Colours and markers for steps of a quantity such as λ, from small (light) to large.
const STEPS: [(u32, Marker); 5] = [
    (0xc994c7, Marker::Up),
    (0x9970ab, Marker::Square),
    (0x762a83, Marker::Circle),
    (0x4a0f57, Marker::Down),
    (0x240030, Marker::Pentagon),
];

/// The look of step `i` of `n`.
pub fn step(i: usize, n: usize) -> Look {
    // A few steps are spread over the whole range.
    let index = if n <= 1 { 2 } else { i * (STEPS.len() - 1) / (n - 1).max(1) };
    let (ink, marker) = STEPS[index.min(STEPS.len() - 1)];
    Look { colour: Colour::hex(ink), marker, dash: Dash::Solid, hollow: false }
}

/// Colours of a heat map of values from −1 to 1, in even steps; what points against the gradient is red.
pub const SIGNED: [Colour; 9] = [
    Colour::hex(0x8c1127),
    Colour::hex(0xc23b41),
    Colour::hex(0xe58b70),
    Colour::hex(0xf7cfb8),
    Colour::hex(0xf6f5f2),
    Colour::hex(0xc6dcea),
    Colour::hex(0x80b2d4),
    Colour::hex(0x3a7db8),
    Colour::hex(0x144a84),
];
/// Colours of a heat map of sizes, from small to large in even steps of its scale.
pub const RISING: [Colour; 9] = [
    Colour::hex(0xfdf8e4),
    Colour::hex(0xe6efc8),
    Colour::hex(0xbfdfc0),
    Colour::hex(0x8dcabb),
    Colour::hex(0x58adb6),
    Colour::hex(0x358cac),
    Colour::hex(0x2b689a),
    Colour::hex(0x28427d),
    Colour::hex(0x1e2153),
];

/// For what is neither a rule nor a step.
pub const PLAIN: Colour = Colour::hex(0x9a9a9a);
/// For two quantities, such as cosine and ρ.
pub const PAIR: [Colour; 2] = [Colour::hex(0x4a7fb0), Colour::hex(0xa3c585)];
// Backgrounds, and the colours of text on them.
pub(crate) const BAD: Colour = Colour::hex(0xfbe3e4);
/// Behind what is as it should be.
pub const GOOD: Colour = Colour::hex(0xe4f1e5);
pub(crate) const NEUTRAL: Colour = Colour::hex(0xf6f6f6);
pub(crate) const BAD_INK: Colour = Colour::hex(0xa8323a);
/// For words on [`GOOD`].
pub const GOOD_INK: Colour = Colour::hex(0x2f7a38);

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear light of an sRGB channel, as the standard defines it.
    fn linear(c: u8) -> f64 {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    /// CIE Lab under D65.
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let [r, g, b] = rgb.map(|c| c.clamp(0.0, 1.0));
        let xyz = [
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
            0.2126 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
        ];
        let [x, y, z] = xyz.map(|t| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// How dichromats see linear light (Machado, Oliveira and Fernandes 2009, severity 1).
    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    fn seen(ink: u32, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let c = Colour::hex(ink);
        let light = [linear(c.r), linear(c.g), linear(c.b)];
        lab([0, 1, 2].map(|i| (0..3).map(|j| sight[i][j] * light[j]).sum::<f64>()))
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn rules_are_distinct_to_every_eye() {
        // A ΔE of 2.3 is just noticeable; lines side by side need several times that.
        for (sight, matrix) in SIGHTS {
            for (i, a) in RULES.iter().enumerate() {
                for b in &RULES[i + 1..] {
                    let apart = distance(seen(a.1, &matrix), seen(b.1, &matrix));
                    assert!(apart > 12.0, "{} and {} are {apart:.1} apart under {sight}", a.0, b.0);
                }
            }
        }
    }

    #[test]
    fn looks_are_of_listed_rules() {
        assert!(RULES.iter().all(|look| record::rules::is_listed(look.0)), "{RULES:?}");
    }

    #[test]
    fn no_two_rules_share_a_marker() {
        let mut markers: Vec<String> =
            RULES.iter().map(|r| r.2).chain(OTHERS.iter().map(|o| o.1)).map(|m| format!("{m:?}")).collect();
        let all = markers.len();
        markers.sort();
        markers.dedup();
        assert_eq!(markers.len(), all);
    }
}
