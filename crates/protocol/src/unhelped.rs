//! What a pass must not hide: units that get no help from their credit.

use record::audit::Standing;

/// The most frequent standing, the graver on a tie, and how many have it.
pub fn most_frequent(standings: &[Standing]) -> Option<(Standing, usize)> {
    let count = |wanted: &Standing| standings.iter().filter(|standing| *standing == wanted).count();
    let most = standings.iter().map(|standing| (count(standing), *standing)).max();
    most.map(|(count, standing)| (standing, count))
}

/// How many units have credit at chance or misleading, in words; none if no unit has. Each unit has the standings of its seeds.
///
/// ```
/// use protocol::unhelped;
/// use record::audit::Standing::{Chance, Misleading, Useful};
/// assert_eq!(unhelped([vec![Useful], vec![Useful]]), None);
/// assert_eq!(unhelped([vec![Useful], vec![Chance, Chance, Useful]]).as_deref(), Some("1/2 at chance"));
/// assert_eq!(unhelped([vec![Misleading], vec![Chance]]).as_deref(), Some("2/2 at chance or misled"));
/// ```
pub fn unhelped(units: impl IntoIterator<Item = Vec<Standing>>) -> Option<String> {
    let all: Vec<Standing> =
        units.into_iter().filter_map(|seeds| most_frequent(&seeds)).map(|(most, _)| most).collect();
    let count = |wanted: Standing| all.iter().filter(|&&found| found == wanted).count();
    let words = match (count(Standing::Chance), count(Standing::Misleading)) {
        (0, 0) => return None,
        (chance, 0) => format!("{chance}/{} at chance", all.len()),
        (0, misled) => format!("{misled}/{} misled", all.len()),
        (chance, misled) => format!("{}/{} at chance or misled", chance + misled, all.len()),
    };
    Some(words)
}
