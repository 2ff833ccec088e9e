//! Numbers as people read them.

use std::time::Duration;

/// `4.2e-9` for the very small and large, plain digits between.
pub fn scientific(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        return if x.is_nan() {
            "nan".to_owned()
        } else if x > 0.0 {
            "inf".to_owned()
        } else {
            "-inf".to_owned()
        };
    }
    let text = if size == 0.0 {
        "0".to_owned()
    } else if !(1e-2..1e4).contains(&size) {
        format!("{x:.1e}").replace(".0e", "e")
    } else if size >= 100.0 {
        format!("{x:.0}")
    } else if size >= 10.0 {
        format!("{x:.1}")
    } else {
        format!("{x:.2}")
    };
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A share as `.612`, the way papers print accuracies; `–` where there is none, as where nothing is classified.
pub fn share(x: f64) -> String {
    if x.is_nan() {
        return "–".to_owned();
    }
    let text = format!("{x:.3}");
    text.strip_prefix("0.").map_or(text.clone(), |digits| format!(".{digits}"))
}

/// `.420`, `-.013`, `1.000`; what rounds to zero has no sign.
pub fn signed(x: f64) -> String {
    let size = share(x.abs());
    if x < 0.0 && size != ".000" { format!("-{size}") } else { size }
}

/// `42 s`, `3 min 10 s`, `2 h 05 min`.
pub fn duration(d: Duration) -> String {
    let s = d.as_secs_f64();
    if s < 10.0 {
        format!("{s:.1} s")
    } else if s < 60.0 {
        format!("{s:.0} s")
    } else if s < 3600.0 {
        format!("{} min {:02} s", s as u64 / 60, s as u64 % 60)
    } else {
        format!("{} h {:02} min", s as u64 / 3600, s as u64 / 60 % 60)
    }
}

/// A duration that is only known roughly: `40 s`, `12 min`, `2 h 10 min`. Never less than a second.
pub fn roughly(d: Duration) -> String {
    let s = d.as_secs_f64();
    let to = |step: f64| ((s / step).round() * step) as u64;
    if s < 9.5 {
        format!("{} s", to(1.0).max(1))
    } else if s < 85.0 {
        format!("{} s", to(10.0))
    } else if s < 85.0 * 60.0 {
        format!("{} min", to(60.0) / 60)
    } else {
        let minutes = to(600.0) / 60;
        format!("{} h {:02} min", minutes / 60, minutes % 60)
    }
}

/// `15.3 MB`.
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        _ if n < 1e3 => format!("{n} B"),
        _ if n < 1e6 => format!("{:.1} kB", n / 1e3),
        _ if n < 1e9 => format!("{:.1} MB", n / 1e6),
        _ => format!("{:.1} GB", n / 1e9),
    }
}

/// `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|c| std::str::from_utf8(c).unwrap_or_default()).collect();
    grouped.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [4.2e-9, 0.012, 3.26, 50.0, 31.7, 5123.4, 4e8].map(scientific),
            ["4.2e-9", "0.01", "3.26", "50", "31.7", "5123", "4e8"]
        );
        assert_eq!([0.6147, 1.0, 0.0, f64::NAN].map(share), [".615", "1.000", ".000", "–"]);
        assert_eq!([0.42, -0.0131, -0.0004, -1.0].map(signed), [".420", "-.013", ".000", "-1.000"]);
        assert_eq!([5, 1_234, 1_234_567].map(count), ["5", "1,234", "1,234,567"]);
        assert_eq!(duration(Duration::from_secs(190)), "3 min 10 s");
        let rough = [0, 8, 44, 100, 300, 5_000, 7_900].map(Duration::from_secs).map(roughly);
        assert_eq!(rough, ["1 s", "8 s", "40 s", "2 min", "5 min", "83 min", "2 h 10 min"]);
        assert_eq!([999, 15_300_000].map(bytes), ["999 B", "15.3 MB"]);
    }
}
