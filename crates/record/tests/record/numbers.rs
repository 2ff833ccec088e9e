//! Numbers that JSON has no word for, and all the others, come back exactly.

use record::series::HIDDEN;
use record::{Epoch, Score};

/// Every number comes back to the bit; NaN as NaN.
fn comes_back(x: f64) {
    let text = serde_json::to_string(&Score { loss: x, accuracy: 0.5 }).unwrap();
    let back: Score = serde_json::from_str(&text).unwrap();
    if x.is_nan() {
        assert!(back.loss.is_nan(), "{text}");
    } else {
        assert_eq!(back.loss.to_bits(), x.to_bits(), "{text}");
    }
}

#[test]
fn numbers_come_back_to_the_bit() {
    let special =
        [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, 0.0, -0.0, 1.0, -3.0, f64::MAX, f64::MIN];
    special.into_iter().for_each(comes_back);
    // Around every power of two, the subnormals included.
    for exponent in 0..0x7ff_u64 {
        for mantissa in [0, 1, (1 << 52) - 1] {
            comes_back(f64::from_bits(exponent << 52 | mantissa));
        }
    }
    // SplitMix64 over the whole range of bits.
    let mut state = 7_u64;
    for _ in 0..20_000 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        comes_back(f64::from_bits(z ^ z >> 31));
    }
}

#[test]
fn lists_hold_what_json_cannot_say() {
    let mut epoch = crate::made::cifar("dfa", (8, 2), 1, 1).epochs.remove(1);
    epoch.evaluation.series.extend([HIDDEN.series([f64::INFINITY, 5e-324, f64::NEG_INFINITY])]);
    epoch.evaluation.growth = f64::INFINITY;
    let text = serde_json::to_string(&epoch).unwrap();
    assert!(text.contains(r#""hidden":{"at":"state","values":["inf",5e-324,"-inf"]}"#), "{text}");
    assert_eq!(serde_json::from_str::<Epoch>(&text).unwrap(), epoch);
    let wrong = text.replace(r#""growth":"inf""#, r#""growth":"huge""#);
    let message = serde_json::from_str::<Epoch>(&wrong).unwrap_err().to_string();
    assert!(message.contains("huge") && message.contains("\"inf\", \"-inf\", \"nan\""), "{message}");
}
