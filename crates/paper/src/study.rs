//! The paper's studies and their recipes, which are compiled in.

use lab::{Error, Recipe};

/// A study that can be reproduced.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Also the name of its recipe.
    pub name: &'static str,
    /// What it asks, in a few words.
    pub about: &'static str,
    /// Figures drawn from it.
    pub figures: &'static [&'static str],
    recipe: &'static str,
    /// Assignments that make it a matter of seconds, on built-in data.
    quick: &'static [&'static [&'static str]],
}

const QUICK_IMAGES: &[&str] = &[
    "data.name=digits",
    "net.d=32",
    "train.epochs=2",
    "train.batch=64",
    "eval.samples=256",
    "audit.samples=64",
];
const QUICK_LQ: &[&[&str]] =
    &[&["lq.train=2560", "lq.test=256", "eval.samples=256"], &["train.epochs=2", "net.d=16", "net.blocks=4"]];
const TWO_SEEDS: &[&str] = &["seed=[42,123]"];

/// All studies, in the order in which `all` runs them.
pub const STUDIES: [Study; 13] = [
    Study {
        name: "toy-lq",
        about: "which credit finds the exact costate of a linear-quadratic system",
        figures: &[],
        recipe: include_str!("../../../recipes/toy-lq.toml"),
        quick: QUICK_LQ,
    },
    Study {
        name: "toy-bridges",
        about: "three readings of the bridges, on the linear-quadratic system",
        figures: &[],
        recipe: include_str!("../../../recipes/toy-bridges.toml"),
        quick: QUICK_LQ,
    },
    Study {
        name: "normalisation",
        about: "how much of the growth is the rule, how much the normalisation of credit",
        figures: &["normalisation"],
        recipe: include_str!("../../../recipes/normalisation.toml"),
        quick: &[QUICK_IMAGES, &["seed=42"]],
    },
    Study {
        name: "main",
        about: "six rules and their frozen baselines on CIFAR-10, d = 256, L = 4",
        figures: &["audit-hero", "verdicts", "nulls", "dissociation"],
        recipe: include_str!("../../../recipes/main.toml"),
        quick: &[QUICK_IMAGES, TWO_SEEDS],
    },
    Study {
        name: "mechanism",
        about: "what growth needs: random labels, no skip connection, stronger penalties",
        figures: &[],
        recipe: include_str!("../../../recipes/mechanism.toml"),
        quick: &[QUICK_IMAGES, &["seed=42"]],
    },
    Study {
        name: "bridges",
        about: "three readings of the bridges, on CIFAR-10",
        figures: &[],
        recipe: include_str!("../../../recipes/bridges.toml"),
        quick: &[QUICK_IMAGES],
    },
    Study {
        name: "penalty",
        about: "a penalty on the blocks' output, under dfa and bp",
        figures: &["penalty-rescue", "lambda-sweep"],
        recipe: include_str!("../../../recipes/penalty.toml"),
        quick: &[QUICK_IMAGES, TWO_SEEDS],
    },
    Study {
        name: "crossarch",
        about: "other networks: without the last LayerNorm, without any, a transformer",
        figures: &["crossarch"],
        recipe: include_str!("../../../recipes/crossarch.toml"),
        quick: &[QUICK_IMAGES, &["seed=42"]],
    },
    Study {
        name: "wide",
        about: "dfa's cosines with d = 512, L = 4, which the published first figure shows",
        figures: &[],
        recipe: include_str!("../../../recipes/wide.toml"),
        quick: &[QUICK_IMAGES, TWO_SEEDS],
    },
    Study {
        name: "depth",
        about: "fa and dfa from 2 to 12 blocks, d = 512",
        figures: &[],
        recipe: include_str!("../../../recipes/depth.toml"),
        quick: &[QUICK_IMAGES],
    },
    Study {
        name: "ladder",
        about: "from linear to nonlinear and from shallow to deep, on a teacher's labels",
        figures: &[],
        recipe: include_str!("../../../recipes/ladder.toml"),
        quick: &[
            &["teacher.train=2560", "teacher.test=512", "eval.samples=256"],
            &["net.d=32", "train.epochs=2", "audit.samples=64"],
        ],
    },
    Study {
        name: "deep",
        about: "five rules on CIFAR-10, d = 512, L = 12",
        figures: &[
            "cifar-accuracy",
            "cifar-diagnostics",
            "cifar-drift",
            "cifar-state-vs-credit",
            "cifar-summary",
        ],
        recipe: include_str!("../../../recipes/deep.toml"),
        quick: &[QUICK_IMAGES, &["net.blocks=6", "seed=42"]],
    },
    Study {
        name: "unclipped",
        about: "the earlier runs without gradient clipping, for comparison",
        figures: &[],
        recipe: include_str!("../../../recipes/unclipped.toml"),
        quick: &[QUICK_IMAGES, &["net.blocks=4", "seed=42"]],
    },
];

impl Study {
    /// The study called `name`.
    pub fn named(name: &str) -> Option<&'static Study> {
        STUDIES.iter().find(|study| study.name == name)
    }

    /// Its recipe; if `quick`, one that exercises the same code on built-in data within a minute or so.
    pub fn recipe(&self, quick: bool) -> Result<Recipe, Error> {
        let mut recipe = Recipe::parse(self.recipe, &self.file())?;
        self.assignments(quick).try_for_each(|assignment| recipe.set(assignment))?;
        Ok(recipe)
    }

    /// The text of its recipe.
    pub fn text(&self) -> &'static str {
        self.recipe
    }

    /// The file of its recipe among the sources.
    pub fn file(&self) -> String {
        format!("recipes/{}.toml", self.name)
    }

    /// What is changed about the recipe, as `key=value`.
    pub fn assignments(&self, quick: bool) -> impl Iterator<Item = &'static str> {
        self.quick.iter().copied().flatten().copied().filter(move |_| quick)
    }
}
