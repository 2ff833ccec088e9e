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
    /// Whether markers are only outlined, as unreliable values are.
    pub hollow: bool,
}

impl Look {
    /// The look of published values beside ours: grey, with the marker of the rule.
    pub(crate) fn published(self) -> Self {
        Self { colour: PUBLISHED, dash: Dash::Dashed, ..self }
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
    ("bp", 0x2d66ae, Marker::Circle),
    ("fa", 0xc36703, Marker::Square),
    ("dfa", 0xa8152a, Marker::Diamond),
    ("ep", 0x1d9794, Marker::Pentagon),
    ("state_bridge", 0x71277e, Marker::Up),
    ("credit_bridge", 0x5b9a23, Marker::Down),
    ("sign_symmetry", 0x3a3e3a, Marker::Plus),
    ("kolen_pollack", 0xa879b8, Marker::Cross),
    ("dkp", 0x037a50, Marker::Hexagon),
    ("drtp", 0x593505, Marker::Star),
    ("node_perturbation", 0x8144ec, Marker::Left),
];

/// Colours and markers that other rules take in turn.
const OTHERS: [(u32, Marker); 6] = [
    (0x908878, Marker::Bar),
    (0x905309, Marker::Right),
    (0x597df4, Marker::Pillar),
    (0x0a2d3c, Marker::Bow),
    (0x7c5b87, Marker::Hourglass),
    (0x2f2805, Marker::Chevron),
];

/// Colours and markers of penalties from 10⁻⁴ to 10⁻¹, decade by decade: a hue that no rule has.
const PENALTIES: [(u32, Marker); 4] = [
    (0xd95e9b, Marker::Down),
    (0xd02e77, Marker::Square),
    (0xa11265, Marker::Up),
    (0x5a0638, Marker::Pentagon),
];
/// The power of ten of the first.
const SMALLEST: f64 = -4.0;

/// Markers of what differs in a seed or a key of the recipe, on inks without a hue.
const RANKS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Up, Marker::Diamond, Marker::Down, Marker::Pentagon];
/// The inks of the first and the last of them.
const RANK_ENDS: [Colour; 2] = [Colour::hex(0x1a1a1a), Colour::hex(0x8a8a8a)];

fn of(ink: u32, marker: Marker) -> Look {
    Look { colour: Colour::hex(ink), marker, dash: Dash::Solid, hollow: false }
}

/// The look of a rule. One without a look of its own takes its turn among `unlisted`, all such rules in legend order.
pub fn look(rule: &str, unlisted: &[&str]) -> Look {
    if let Some((_, ink, marker)) = RULES.iter().find(|entry| entry.0 == rule) {
        return of(*ink, *marker);
    }
    let turn = unlisted.iter().position(|name| *name == rule).unwrap_or(0);
    let (ink, marker) = OTHERS[turn % OTHERS.len()];
    of(ink, marker)
}

/// Whether a rule has a look of its own.
pub fn is_listed(rule: &str) -> bool {
    RULES.iter().any(|entry| entry.0 == rule)
}

/// The look of a penalty: the same for a value in every figure, whichever others are drawn.
pub fn penalty(value: f64) -> Look {
    let place = (value.log10() - SMALLEST).clamp(0.0, (PENALTIES.len() - 1) as f64);
    let below = (place.floor() as usize).min(PENALTIES.len() - 2);
    let [low, high] = [below, below + 1].map(|i| Colour::hex(PENALTIES[i].0));
    let marker = PENALTIES[place.round() as usize].1;
    Look { colour: low.towards(high, place - below as f64), ..of(0, marker) }
}

/// The look of the `i`th of `n` seeds or values of a key.
pub fn rank(i: usize, n: usize) -> Look {
    let share = if n > 1 { i as f64 / (n - 1) as f64 } else { 0.0 };
    Look { colour: RANK_ENDS[0].towards(RANK_ENDS[1], share), ..of(0, RANKS[i % RANKS.len()]) }
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

/// Of published values.
pub const PUBLISHED: Colour = Colour::hex(0x777777);
/// For what is neither a rule nor a penalty.
pub const PLAIN: Colour = Colour::hex(0x8a8a8a);
/// For two quantities, such as cosine and ρ: inks without a hue.
pub const PAIR: [Colour; 2] = [Colour::hex(0x2b2b2b), Colour::hex(0x8a8a8a)];
// Backgrounds, and the colours of text on them.
pub(crate) const BAD: Colour = Colour::hex(0xfdeeee);
/// Behind what is as it should be.
pub const GOOD: Colour = Colour::hex(0xe9f4ea);
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

    fn light(c: Colour) -> [f64; 3] {
        [linear(c.r), linear(c.g), linear(c.b)]
    }

    fn seen(c: Colour, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = light(c);
        lab([0, 1, 2].map(|i| (0..3).map(|j| sight[i][j] * light[j]).sum::<f64>()))
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }

    /// Contrast of two colours, as the guidelines for accessible pages define it.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let luminance = |c| {
            let [r, g, b] = light(c);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        luminance(a).max(luminance(b)) / luminance(a).min(luminance(b))
    }

    /// Looks of rules, those that rules of users take among them.
    fn rules() -> Vec<(String, Colour)> {
        let listed = RULES.iter().map(|rule| (rule.0.to_owned(), Colour::hex(rule.1)));
        let others = OTHERS.iter().enumerate().map(|(i, other)| (format!("other {i}"), Colour::hex(other.0)));
        listed.chain(others).collect()
    }

    fn penalties() -> Vec<(String, Colour)> {
        [1e-4, 1e-3, 1e-2, 1e-1].map(|value| (format!("λ = {value}"), penalty(value).colour)).to_vec()
    }

    /// A ΔE of 2.3 is just noticeable; lines side by side need several times that.
    fn are_apart(inks: &[(String, Colour)], least: f64) {
        for (sight, matrix) in SIGHTS {
            for (i, (a, ink)) in inks.iter().enumerate() {
                for (b, other) in &inks[i + 1..] {
                    let apart = distance(seen(*ink, &matrix), seen(*other, &matrix));
                    assert!(apart > least, "{a} and {b} are {apart:.1} apart under {sight}");
                }
            }
        }
    }

    #[test]
    fn rules_are_distinct_to_every_eye() {
        are_apart(&rules(), 12.0);
    }

    #[test]
    fn penalties_are_distinct_from_each_other_and_from_the_rules_beside_them() {
        are_apart(&penalties(), 10.0);
        let beside = rules().into_iter().filter(|(name, _)| ["bp", "dfa"].contains(&name.as_str()));
        for rule in beside {
            for penalty in penalties() {
                are_apart(&[rule.clone(), penalty], 12.0);
            }
        }
        let usual = &SIGHTS[0].1;
        for (name, ink) in rules() {
            for (value, other) in penalties() {
                let apart = distance(seen(ink, usual), seen(other, usual));
                assert!(apart > 12.0, "{name} and {value} are {apart:.1} apart");
            }
        }
    }

    #[test]
    fn a_penalty_has_one_look_whatever_is_beside_it() {
        assert_eq!(penalty(1e-2).colour, Colour::hex(PENALTIES[2].0));
        assert_eq!(penalty(1e-7), penalty(1e-4));
        // Between decades the ink is between theirs.
        let [low, between, high] = [1e-2, 3e-2, 1e-1].map(|value| penalty(value).colour.g);
        assert!(low > between && between > high, "{low} {between} {high}");
    }

    #[test]
    fn every_ink_stands_out_from_its_ground() {
        let ranks = (0..6).map(|i| (format!("rank {i}"), rank(i, 6).colour));
        let fixed = [("published", PUBLISHED), ("plain", PLAIN), ("pair", PAIR[0]), ("pair", PAIR[1])];
        let fixed = fixed.map(|(name, ink)| (name.to_owned(), ink));
        let grounds = [("white", Colour::hex(0xffffff)), ("good", GOOD), ("bad", BAD), ("neutral", NEUTRAL)];
        for (name, ink) in rules().into_iter().chain(penalties()).chain(ranks).chain(fixed) {
            for (ground, paper) in grounds {
                let found = contrast(ink, paper);
                assert!(found >= 3.0, "{name} on {ground}: {found:.2}");
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
