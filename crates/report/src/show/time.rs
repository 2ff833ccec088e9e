//! Moments as records write them, `2026-01-31T12:00:00Z`, and the time between them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// `2026-01-31 12:00:00 UTC`; text that is no moment stays as it is.
pub fn moment(text: &str) -> String {
    match parse(text) {
        Some(_) => text.replace('T', " ").replace('Z', " UTC"),
        None => text.to_owned(),
    }
}

/// From one moment to a later one; none if either is no moment, or the clock went backwards.
pub fn between(from: &str, to: &str) -> Option<Duration> {
    parse(to)?.checked_sub(parse(from)?)
}

/// `just now`, `5 min ago`, `3 h ago`, `12 days ago`; the moment itself where the clock went backwards.
pub fn ago(text: &str, now: SystemTime) -> String {
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    match parse(text).and_then(|then| now.checked_sub(then)).map(|age| age.as_secs()) {
        Some(s) if s < 60 => "just now".to_owned(),
        Some(s) if s < 3600 => format!("{} min ago", s / 60),
        Some(s) if s < 48 * 3600 => format!("{} h ago", s / 3600),
        Some(s) => format!("{} days ago", s / 86_400),
        None => moment(text),
    }
}

/// Time since 1970.
fn parse(text: &str) -> Option<Duration> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let three = |text: &str, separator: char| -> Option<[u64; 3]> {
        let parts: Result<Vec<u64>, _> = text.split(separator).map(str::parse).collect();
        parts.ok()?.try_into().ok()
    };
    let [year, month, day] = three(date, '-')?;
    let [h, m, s] = three(time, ':')?;
    let plausible = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !plausible || h > 23 || m > 59 || s > 60 {
        return None;
    }
    // Years begin in March here, so that the leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(Duration::from_secs(days * 86_400 + h * 3600 + m * 60 + s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_seconds_since_1970() {
        // Reference values from `date -u -d @N`.
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2024-03-01T00:00:00Z", 1_709_251_200),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(parse(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2024-03-01",
            "2024-13-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "2024-03-01T00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
            assert_eq!(moment(text), text);
        }
    }

    #[test]
    fn ages_grow_coarser() {
        let start = "2024-03-01T00:00:00Z";
        let after = |s: u64| UNIX_EPOCH + Duration::from_secs(1_709_251_200 + s);
        let words = [30, 150, 7_300, 250_000].map(|s| ago(start, after(s)));
        assert_eq!(words, ["just now", "2 min ago", "2 h ago", "2 days ago"]);
        assert_eq!(ago(start, UNIX_EPOCH), "2024-03-01 00:00:00 UTC");
        assert_eq!(between(start, "2024-03-01T00:01:30Z"), Some(Duration::from_secs(90)));
        assert_eq!(between("2024-03-01T00:01:30Z", start), None);
    }
}
