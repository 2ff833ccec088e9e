//! Numbers as Python prints them: scripts build file names from them.

/// `repr(x)` of a finite float: the shortest digits that read back as `x`, with an exponent outside 1e-4…1e16.
pub(super) fn repr(x: f64) -> String {
    let scientific = format!("{x:e}");
    let (digits, exponent) = scientific.split_once('e').expect("the exponent is always printed");
    let exponent: i32 = exponent.parse().expect("the exponent is an integer");
    if (-4..16).contains(&exponent) {
        return format!("{x:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::repr;

    /// What `python3 -c "print(repr(x))"` prints.
    #[test]
    fn as_python_prints() {
        let cases = [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.01, "0.01"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (0.00025, "0.00025"),
            (0.00001, "1e-05"),
            (0.000025, "2.5e-05"),
            (1e-100, "1e-100"),
            (123456.5, "123456.5"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
        ];
        for (x, printed) in cases {
            assert_eq!(repr(x), printed);
        }
    }
}
