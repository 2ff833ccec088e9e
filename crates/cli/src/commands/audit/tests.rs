//! The text and the files of a set of audits made by hand.

use super::sample::{alone, sample};
use super::{View, page};

const NARROW: View = View { layers: false, torch: false, include_unreliable: false };

#[test]
fn whole_set() {
    let text = page::text(&sample(), &NARROW);
    std::fs::write("/tmp/c-narrow.txt", &text).unwrap();
    std::fs::write("/tmp/c-alone.txt", page::text(&alone(), &NARROW)).unwrap();
    std::fs::write(
        "/tmp/c-layers.txt",
        page::text(&alone(), &View { layers: true, include_unreliable: true, ..NARROW }),
    )
    .unwrap();
}
