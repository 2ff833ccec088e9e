//! Lists of words.

use record::Unit;

/// `a`, `a and b`, `a, b and c`.
pub fn list<W: AsRef<str>>(words: &[W]) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// `embed, block 0 and blocks 2–4`: units in the order of the forward pass.
pub fn unit_names(units: &[Unit]) -> String {
    let mut names = Vec::new();
    let follows = |a: &Unit, b: &Unit| *a != Unit::Embed && b.state() == a.state() + 1;
    for chunk in units.chunk_by(follows) {
        names.push(match chunk {
            [Unit::Block(first), .., Unit::Block(last)] => format!("blocks {first}–{last}"),
            _ => chunk[0].to_string(),
        });
    }
    list(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_in_a_row_are_a_range() {
        let units = [0, 1, 3, 4, 5].map(Unit::at);
        assert_eq!(unit_names(&units), "embed, block 0 and blocks 2–4");
        assert_eq!(unit_names(&units[..2]), "embed and block 0");
        assert_eq!((unit_names(&units[..1]), unit_names(&[])), ("embed".to_owned(), String::new()));
    }
}
