//! Selects the runs to train: all of a recipe, or some of them under the same names.

use crate::{Error, Recipe, RunSpec};

/// Checked runs, in the order in which they start.
#[derive(Clone, Debug)]
pub struct Plan {
    runs: Vec<RunSpec>,
}

/// One of several equal parts of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Index, from 0.
    pub index: usize,
    /// Number of parts.
    pub of: usize,
}

/// Maximum number of names in a message.
const LISTED: usize = 20;

impl Plan {
    /// All runs of a recipe.
    pub fn new(recipe: &Recipe) -> Result<Self, Error> {
        Ok(Self { runs: recipe.runs()? })
    }

    /// The runs.
    pub fn runs(&self) -> &[RunSpec] {
        &self.runs
    }

    /// The runs with these names, in the order of the plan.
    ///
    /// ```
    /// let recipe = lab::Recipe::parse("rule.name = ['bp', 'fa', 'dfa']", "example.toml")?;
    /// let plan = lab::Plan::new(&recipe)?;
    /// let some = plan.clone().only(&["dfa-s42".to_owned(), "bp-s42".to_owned()])?;
    /// assert_eq!(some.runs().iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["bp-s42", "dfa-s42"]);
    /// let slip = plan.only(&["bp-s4".to_owned()]).unwrap_err().to_string();
    /// assert!(slip.contains("did you mean `bp-s42`"), "{slip}");
    /// # Ok::<(), lab::Error>(())
    /// ```
    pub fn only(mut self, ids: &[String]) -> Result<Self, Error> {
        if let Some(id) = ids.iter().find(|id| !self.runs.iter().any(|run| run.id == **id)) {
            return Err(self.unknown(id));
        }
        self.runs.retain(|run| ids.contains(&run.id));
        Ok(self)
    }

    /// The runs of one shard: every n-th run, starting at its index.
    pub fn shard(mut self, Shard { index, of }: Shard) -> Self {
        self.runs = self.runs.into_iter().skip(index).step_by(of).collect();
        self
    }

    fn unknown(&self, id: &str) -> Error {
        let distance = |name: &str| strsim::damerau_levenshtein(name, id);
        let closest = self.runs.iter().map(|run| distance(&run.id)).min().unwrap_or(usize::MAX);
        let ids = self.runs.iter().map(|run| run.id.as_str());
        let nearest: Vec<&str> = ids.filter(|id| closest <= 3 && distance(id) == closest).take(3).collect();
        let quoted: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
        let hint =
            if quoted.is_empty() { String::new() } else { format!("did you mean {}? ", quoted.join(" or ")) };
        let listed: Vec<&str> = self.runs.iter().take(LISTED).map(|run| run.id.as_str()).collect();
        let more = self.runs.len() - listed.len();
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        Error::UnknownRun { id: id.to_owned(), hint: format!("{hint}It has {}{more}", listed.join(", ")) }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give I/N with 0 ≤ I < N, such as 0/4 for the first of four shards".to_owned();
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let index = index.trim().parse::<usize>().map_err(|_| wrong())?;
        let of = of.trim().parse::<usize>().map_err(|_| wrong())?;
        if index < of { Ok(Self { index, of }) } else { Err(wrong()) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
