//! The diagram of a run's network has the parts that the network of its recipe has.

use figures::catalogue::{Request, find};
use figures::plot::{Network, Part};
use figures::reader::{Origin, OriginKind, Records, Setting, Trial};
use lab::{Recipe, RunSpec};
use nn::Architecture;
use protocol::baseline::{TrainingKeys, as_written};

fn run(recipe: &str) -> RunSpec {
    Recipe::parse(recipe, "r.toml")
        .and_then(|recipe| recipe.runs())
        .unwrap_or_else(|e| panic!("{recipe}: {e}"))
        .remove(0)
}

/// What the reader of records knows of such a run.
fn trial(run: &RunSpec) -> Trial {
    let recipe = record::flatten(run.recipe.parse().expect("TOML"));
    let text = |key: &str| recipe.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let whole = |key: &str| recipe.get(key).and_then(|value| value.as_integer()).map(|n| n as u64);
    let setting = Setting {
        network: text("net.name"),
        blocks: whole("net.blocks"),
        d: whole("net.d"),
        out_ln: recipe.get("net.out_ln").and_then(|value| value.as_bool()),
        alpha: recipe.get("net.alpha").and_then(|value| value.as_float()),
        ..Setting::default()
    };
    let origin = Origin {
        kind: OriginKind::Run,
        path: "run".into(),
        key: None,
        recipe_hash: None,
        data_hash: None,
        file_hash: None,
        seed: None,
    };
    Trial {
        name: "run".to_owned(),
        rule: text("rule.name"),
        penalty: 0.0,
        frozen: false,
        modifiers: String::new(),
        classes: None,
        seed: None,
        setting,
        origin,
        status: None,
        native_samples: None,
        keys: Some(TrainingKeys::of(&recipe, &as_written)),
        thresholds: protocol::THRESHOLDS,
        epochs: Vec::new(),
        final_layers: figures::reader::Layers::default(),
        drift: Vec::new(),
        audit: None,
    }
}

fn drawn(run: &RunSpec) -> Network {
    let records = Records { trials: vec![trial(run)], ..Records::default() };
    let drawing = (find("architecture").expect("a figure").draw)(&Request { records, ..Request::default() });
    drawing.expect("a drawing").figure.diagram.expect("a diagram").network
}

/// Whether the parts name a LayerNorm.
fn normalises(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.words == "LayerNorm")
}

#[test]
fn units_skips_and_layer_norms_are_those_of_the_network() {
    let recipes = [
        "",
        "net.blocks = 12",
        "net.skip = false",
        "net.out_ln = false",
        "net.name = 'student'",
        "net.name = 'student'\nnet.skip = false\nnet.blocks = 1",
        "net.name = 'vit'\nnet.patch = 2",
        "net.name = 'resnet'",
        "net.name = 'resnet'\nnet.blocks = 3",
        "net.name = 'resnet'\nnet.blocks = 7",
        "data.name = 'lq'\nnet.name = 'lq'",
    ];
    let mut kinds = Vec::new();
    for recipe in recipes {
        let run = run(recipe);
        let network = drawn(&run);
        kinds.push(trial(&run).setting.network);
        assert_eq!(network.blocks.len(), run.net.shape().blocks, "{recipe}");
        let names: Vec<&str> = run.net.layout().tensors().iter().map(|tensor| tensor.name.as_str()).collect();
        for (l, block) in network.blocks.iter().enumerate() {
            assert_eq!(block.skip, run.net.skip(l), "{recipe}, block {l}");
            let has = names.iter().any(|name| name.starts_with(&format!("blocks.{l}.ln")));
            assert_eq!(normalises(&block.parts), has, "{recipe}, block {l}: {names:?}");
        }
        let has = names.iter().any(|name| name.starts_with("out_ln"));
        assert_eq!(normalises(&network.head), has, "{recipe}: {names:?}");
    }
    for kind in nn::NetKind::NAMES {
        assert!(kinds.iter().any(|name| name == kind), "{kind} is not tried");
    }
}
