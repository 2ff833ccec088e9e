//! What is refused before anything is created.

use super::{folder, refusal};
use crate::common::{SMALL, go, options};
use lab::Options;

#[test]
fn missing_data_is_refused_before_anything_is_created() {
    let out = folder();
    let recipe = "data.name = 'cifar10'\ntrain.epochs = 1";
    let message = refusal(recipe, &options(&out.path().join("runs")));
    assert!(message.contains("CIFAR-10 is not in"), "{message}");
    assert!(!out.path().join("runs").exists());
}

/// Which rule can train which network is known in advance, so that no other run starts either.
#[test]
fn a_rule_that_cannot_train_the_network_is_refused_before_anything_is_created() {
    let resnet = "data.name = 'digits'\nnet.name = 'resnet'\nnet.d = 4\nnet.blocks = 3\n";
    let lq = "data.name = 'lq'\nlq.train = 256\nlq.test = 64\nnet.name = 'lq'\nnet.d = 6\nnet.blocks = 2\n";
    for (network, rule, why) in [
        (resnet, "ep", "normalises over the batch"),
        (resnet, "state_bridge", "states of one size"),
        (resnet, "credit_bridge", "states of one size"),
        (lq, "drtp", "it projects labels, but this task has none"),
        (lq, "sign_symmetry", "these blocks have none"),
        (lq, "kolen_pollack", "these blocks have none"),
    ] {
        let out = folder();
        let rest = "train.epochs = 1\neval.samples = 20\naudit.every = 0";
        let options = options(&out.path().join("runs"));
        let recipe = format!("rule.name = ['bp', '{rule}']\n{network}{rest}");
        let message = refusal(&recipe, &options);
        assert!(message.starts_with("test.toml:1: ") && message.contains(rule), "{message}");
        assert!(message.contains(why), "{message}");
        assert!(!options.out.exists(), "{rule}");
        // The other run could have started.
        go(&recipe.replace(&format!(", '{rule}'"), ""), &options).expect("nothing is refused");
        assert!(options.out.join("bp-s42").exists(), "{rule}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let out = folder();
    let file = out.path().join("file");
    std::fs::write(&file, "in the way").expect("write");
    let message = refusal(SMALL, &options(&file));
    assert!(message.contains("file/bp-s42"), "{message}");
}

#[test]
fn sizes_beyond_the_machine_are_refused_by_name() {
    let out = folder();
    // Each of these networks passes its own check; five hundred at a time would need some 20 TB.
    let seeds: Vec<String> = (0..500).map(|seed| seed.to_string()).collect();
    let recipe = format!("{}seed = [{}]", SMALL.replace("d = 20", "d = 20000"), seeds.join(", "));
    let message = refusal(&recipe, &Options { jobs: Some(500), ..options(out.path()) });
    assert!(message.contains("of memory") && message.contains("net.d"), "{message}");
    assert!(!out.path().join("bp-s0").exists());
}
