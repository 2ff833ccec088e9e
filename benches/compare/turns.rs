//! Sides that take turns, round by round.

use creditscope_benches::sample::{Sample, turns};
use creditscope_benches::section::{Row, Side};

/// One side: its name, and a function that takes one reading, which may have several numbers.
pub(crate) struct Turn<'a> {
    name: &'a str,
    read: Box<dyn FnMut() -> Reading + 'a>,
}

/// Numbers of one reading, or why there are none.
pub(crate) type Reading = Result<Vec<f64>, String>;

/// All readings of one side.
pub(crate) struct Taken {
    name: String,
    readings: Result<Vec<Vec<f64>>, String>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(name: &'a str, read: impl FnMut() -> Reading + 'a) -> Self {
        Self { name, read: Box::new(read) }
    }
}

/// Takes readings of all sides, round by round. A side that fails is not read again.
pub(crate) fn take_turns(part: &str, rounds: usize, mut sides: Vec<Turn<'_>>) -> Vec<Taken> {
    let mut taken: Vec<Taken> =
        sides.iter().map(|side| Taken { name: side.name.to_owned(), readings: Ok(Vec::new()) }).collect();
    for round in 0..rounds {
        for index in turns(round, sides.len()) {
            let side = &mut sides[index];
            let taken = &mut taken[index];
            let Ok(readings) = &mut taken.readings else { continue };
            eprintln!("  {part}: round {} of {rounds}, {}", round + 1, side.name);
            match (side.read)() {
                Ok(reading) => readings.push(reading),
                Err(why) => taken.readings = Err(why),
            }
        }
    }
    taken
}

/// A row of the number at `index` of each reading; sides come with their names in the table.
pub(crate) fn row(case: &str, sides: &[(&str, &Taken)], index: usize) -> Row {
    let side =
        |(name, taken): &(&str, &Taken)| Side { name: (*name).to_owned(), sample: taken.sample(index) };
    Row { case: case.to_owned(), sides: sides.iter().map(side).collect(), share: None }
}

impl Taken {
    /// The side of that name.
    pub(crate) fn of<'a>(all: &'a [Taken], name: &str) -> &'a Taken {
        all.iter().find(|taken| taken.name == name).expect("the name of a side that was read")
    }

    /// The least of the numbers at an index.
    pub(crate) fn best(&self, index: usize) -> Option<f64> {
        self.sample(index).ok().map(|sample| sample.best())
    }

    fn sample(&self, index: usize) -> Result<Sample, String> {
        let readings = self.readings.as_ref().map_err(Clone::clone)?;
        let values = readings.iter().filter_map(|reading| reading.get(index).copied()).collect();
        Sample::of(values).ok_or_else(|| "no number was read".to_owned())
    }
}
