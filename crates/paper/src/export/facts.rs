//! The part of a resolved recipe that decides which file a run belongs in.

use record::Run;
use std::fmt;

/// A network's size, by which runs compete for a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) d: i64,
    pub(super) blocks: i64,
    /// Of the student only.
    pub(super) alpha: Option<f64>,
}

impl Shape {
    /// Whether width and depth are equal, and whether α is.
    pub(super) fn likeness(&self, other: &Self) -> (bool, bool) {
        ((self.d, self.blocks) == (other.d, other.blocks), self.alpha == other.alpha)
    }

    /// Weights in the blocks, then the other numbers, so that no two sizes tie.
    pub(super) fn rank(&self) -> (i64, i64, f64) {
        (self.d.saturating_mul(self.d).saturating_mul(self.blocks), self.blocks, self.alpha.unwrap_or(0.0))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d={} L={}", self.d, self.blocks)?;
        self.alpha.map_or(Ok(()), |alpha| write!(f, " α={alpha}"))
    }
}

/// A plain run: a rule on a network, perhaps with a penalty, without any other modifier.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) rule: String,
    pub(super) penalty: f64,
    pub(super) seed: i64,
    pub(super) data: String,
    pub(super) net: String,
    pub(super) out_ln: bool,
    pub(super) skip: bool,
    pub(super) shape: Shape,
}

impl Facts {
    /// The error says why the paper's files have no slot for the run.
    pub(super) fn of(run: &Run) -> Result<Self, String> {
        let net = text(run, "net.name")?;
        let blocks = integer(run, "net.blocks", None)?;
        for modifier in ["rule.frozen", "rule.shallow", "rule.random_targets"] {
            if flag(run, modifier, Some(false))? {
                return Err(format!("`{modifier}` is set, and the paper's files hold unmodified rules only"));
            }
        }
        // Training the last L of L blocks is training them all.
        let trained = integer(run, "rule.trainable_last", Some(-1))?;
        if (0..blocks).contains(&trained) {
            return Err(format!(
                "`rule.trainable_last` is {trained}, and the paper's files hold runs with all blocks trained"
            ));
        }
        let student = net == "student";
        Ok(Self {
            rule: text(run, "rule.name")?,
            penalty: number(run, "rule.penalty", Some(0.0))?,
            seed: integer(run, "seed", None)?,
            data: text(run, "data.name")?,
            out_ln: flag(run, "net.out_ln", (net != "resmlp").then_some(net == "vit"))?,
            skip: flag(run, "net.skip", Some(true))?,
            shape: Shape {
                d: integer(run, "net.d", None)?,
                blocks,
                alpha: if student { Some(number(run, "net.alpha", None)?) } else { None },
            },
            net,
        })
    }
}

fn text(run: &Run, key: &str) -> Result<String, String> {
    get(run, key, "text", None, |value| value.as_str().map(str::to_owned))
}

fn integer(run: &Run, key: &str, default: Option<i64>) -> Result<i64, String> {
    get(run, key, "an integer", default, toml::Value::as_integer)
}

fn number(run: &Run, key: &str, default: Option<f64>) -> Result<f64, String> {
    get(run, key, "a number", default, |value| value.as_float().or(value.as_integer().map(|i| i as f64)))
}

fn flag(run: &Run, key: &str, default: Option<bool>) -> Result<bool, String> {
    get(run, key, "true or false", default, toml::Value::as_bool)
}

fn get<T>(
    run: &Run,
    key: &str,
    kind: &str,
    default: Option<T>,
    convert: impl Fn(&toml::Value) -> Option<T>,
) -> Result<T, String> {
    match run.key(key) {
        Some(value) => convert(value).ok_or(format!("`{key} = {value}` in its recipe is not {kind}")),
        None => default.ok_or(format!("its recipe has no key `{key}`")),
    }
}
