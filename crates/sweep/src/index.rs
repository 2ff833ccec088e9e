//! Which shard this process is, as schedulers tell it.

use crate::Error;

/// A shard as asked for: `auto`, `auto/8`, or as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardIndex {
    /// One of so many, by number.
    Given(lab::Shard),
    /// The scheduler says which; of how many, it says too, or it is given.
    Auto(Option<usize>),
}

impl std::str::FromStr for ShardIndex {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/').unwrap_or((text, "")) {
            ("auto", "") if !text.ends_with('/') => Ok(Self::Auto(None)),
            ("auto", of) => match of.trim().parse::<usize>() {
                Ok(of) if of > 0 => Ok(Self::Auto(Some(of))),
                _ => Err("give auto/N with the number of shards, such as auto/8".to_owned()),
            },
            _ => text.parse().map(Self::Given),
        }
    }
}

impl ShardIndex {
    /// The shard, asking the environment where needed.
    ///
    /// ```
    /// let hq = |name: &str| (name == "HQ_TASK_ID").then(|| "3".to_owned());
    /// let shard = "auto/8".parse::<sweep::ShardIndex>()?.resolve(hq)?;
    /// assert_eq!(shard.to_string(), "3/8");
    /// assert!("auto".parse::<sweep::ShardIndex>()?.resolve(hq).is_err(), "HyperQueue does not say how many there are");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(self, env: impl Fn(&str) -> Option<String>) -> Result<lab::Shard, Error> {
        let of = match self {
            Self::Given(shard) => return Ok(shard),
            Self::Auto(of) => of,
        };
        let (index, counted, variable) = array_index(env)?;
        let of = of.or(counted).ok_or_else(|| {
            Error::Index(format!("{variable} says which shard this is, but not of how many: give auto/N"))
        })?;
        if index >= of {
            return Err(Error::Index(format!(
                "{variable} makes this shard {index} of {of}, counted from 0: number the array from 0 to {}",
                of - 1
            )));
        }
        Ok(lab::Shard { index, of })
    }
}

/// A scheduler's variables: the index of an element, the first index, and how many elements there are.
struct Variables {
    index: &'static str,
    first: First,
    count: Option<&'static str>,
    last: Option<&'static str>,
}

enum First {
    Is(usize),
    At(&'static str),
}

/// The schedulers, those that run inside others first: HyperQueue's workers live in the jobs of Slurm or PBS.
const SCHEDULERS: [Variables; 6] = [
    Variables { index: "HQ_TASK_ID", first: First::Is(0), count: None, last: None },
    Variables {
        index: "SKYPILOT_JOB_RANK",
        first: First::Is(0),
        count: Some("SKYPILOT_NUM_JOBS"),
        last: None,
    },
    Variables { index: "JOB_COMPLETION_INDEX", first: First::Is(0), count: None, last: None },
    Variables {
        index: "SLURM_ARRAY_TASK_ID",
        first: First::At("SLURM_ARRAY_TASK_MIN"),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        last: Some("SLURM_ARRAY_TASK_MAX"),
    },
    Variables { index: "PBS_ARRAY_INDEX", first: First::Is(0), count: None, last: None },
    Variables { index: "SGE_TASK_ID", first: First::Is(1), count: None, last: Some("SGE_TASK_LAST") },
];

/// The index of this element of an array, from 0, how many there are if the scheduler says so, and the variable that said it.
pub fn array_index(
    env: impl Fn(&str) -> Option<String>,
) -> Result<(usize, Option<usize>, &'static str), Error> {
    let number = |name: &str| env(name).and_then(|text| text.trim().parse::<usize>().ok());
    for Variables { index: variable, first, count, last } in &SCHEDULERS {
        // Outside an array, SGE sets its variable to `undefined`.
        let Some(index) = number(variable) else { continue };
        let counted = count.and_then(number);
        let last = last.and_then(number);
        let first = match first {
            First::Is(first) => *first,
            // The count of an array that does not start at 0 is that of a part, sent again: of how many is unknown.
            First::At(name) => match number(name) {
                Some(0) | None => 0,
                Some(_) => return Ok((index, None, variable)),
            },
        };
        let index = index.checked_sub(first).ok_or_else(|| {
            Error::Index(format!("{variable} is {index}, but its arrays are numbered from {first}"))
        })?;
        let whole = last.map(|last| last + 1 - first.min(last + 1));
        // A part of an array sent again has a gap: fewer elements than numbers.
        let counted = match (counted, whole) {
            (Some(count), Some(whole)) if count != whole => None,
            (counted, whole) => counted.or(whole),
        };
        return Ok((index, counted, variable));
    }
    let known: Vec<&str> = SCHEDULERS.iter().map(|scheduler| scheduler.index).collect();
    Err(Error::Index(format!(
        "no scheduler says which shard this is (looked for {}): give I/N",
        known.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(asked: &str, env: &[(&str, &str)]) -> Result<String, String> {
        let find =
            |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        asked.parse::<ShardIndex>()?.resolve(find).map(|shard| shard.to_string()).map_err(|e| e.to_string())
    }

    #[test]
    fn six_schedulers_are_understood() {
        let slurm = |id: &'static str, min: &'static str, max: &'static str, count: &'static str| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        for (asked, env, shard) in [
            ("2/3", &[("SLURM_ARRAY_TASK_ID", "0")][..], "2/3"),
            ("auto", &slurm("5", "0", "7", "8"), "5/8"),
            ("auto/8", &slurm("5", "5", "5", "1"), "5/8"),
            ("auto/8", &[("HQ_TASK_ID", "0")], "0/8"),
            ("auto/8", &[("JOB_COMPLETION_INDEX", "7")], "7/8"),
            ("auto/8", &[("PBS_ARRAY_INDEX", "4")], "4/8"),
            ("auto", &[("SGE_TASK_ID", "1"), ("SGE_TASK_LAST", "8")], "0/8"),
            ("auto/8", &[("SGE_TASK_ID", "8")], "7/8"),
            ("auto", &[("SKYPILOT_JOB_RANK", "2"), ("SKYPILOT_NUM_JOBS", "5")], "2/5"),
            // The inner one counts.
            ("auto/9", &[("HQ_TASK_ID", "6"), ("SLURM_ARRAY_TASK_ID", "1")], "6/9"),
        ] {
            assert_eq!(resolve(asked, env).as_deref(), Ok(shard), "{asked} {env:?}");
        }
        for (asked, env, part) in [
            ("auto", &slurm("5", "5", "5", "1")[..], "auto/N"),
            ("auto", &slurm("5", "0", "7", "2"), "auto/N"),
            ("auto", &[("PBS_ARRAY_INDEX", "4")], "auto/N"),
            ("auto/4", &[("PBS_ARRAY_INDEX", "4")], "from 0 to 3"),
            ("auto/4", &[("SGE_TASK_ID", "0")], "numbered from 1"),
            ("auto", &[("SGE_TASK_ID", "undefined")], "no scheduler"),
            ("auto/0", &[], "auto/8"),
            ("auto/", &[], "auto/8"),
            ("autos", &[], "I/N"),
        ] {
            let message = resolve(asked, env).expect_err("refused");
            assert!(message.contains(part), "{asked} {env:?}: {message}");
        }
    }
}
