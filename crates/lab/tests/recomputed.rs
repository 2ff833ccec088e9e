//! Credit of real runs, recorded on disk, against what the audit recomputes from their checkpoints.

mod common;

use common::{SMALL, train};
use lab::{AuditOptions, audit_runs};
use record::audit::Consistency;

/// Trains, audits from the directories alone, and finds nothing to say.
fn agrees(recipe: &str) {
    let out = tempfile::tempdir().expect("a temporary folder");
    let runs = train(recipe, out.path());
    let options = AuditOptions {
        samples: 64,
        directions: 2,
        draws: 1,
        mixed: true,
        ..AuditOptions::new(data::Folder::at("/nonexistent"))
    };
    let audited = audit_runs(&runs, &options, &|_| {}).expect("nothing is refused");
    let audits = &audited.sweeps[0].set.audits;
    assert_eq!(audits.len(), runs.len());
    for audit in audits {
        let Consistency::Agrees { worst } = audit.consistency else {
            panic!("{}: {:?}", audit.subject.id(), audit.consistency)
        };
        assert!(worst < 1e-4, "{}: {worst:e}", audit.subject.id());
    }
}

/// Told either way, on either network; after one epoch of one, direct feedback still stands in for the credit bridge.
#[test]
fn bridges_agree_with_their_checkpoints() {
    for rule in ["state_bridge", "credit_bridge"] {
        for net in ["resmlp", "student"] {
            let recipe = format!("{SMALL}net.name = '{net}'\nrule.name = '{rule}'\nrule.bridge_width = 40\n");
            agrees(&format!("{recipe}rule.condition = ['error', 'gradient']\n"));
            agrees(&recipe.replace("epochs = 3", "epochs = 1"));
        }
    }
}
