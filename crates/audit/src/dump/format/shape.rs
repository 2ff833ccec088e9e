//! Shapes that a file claims, and where values in Fortran's order belong.

use crate::dump::Fault;

/// The lengths of a tensor's dimensions, whose product is known not to overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    lengths: Vec<usize>,
    count: usize,
}

impl Shape {
    /// Refuses shapes whose bytes cannot be counted, and more dimensions than anybody has.
    pub(super) fn new(tensor: &str, lengths: Vec<usize>, bytes: usize) -> Result<Self, Fault> {
        // An empty dimension must not hide that the others overflow: strides are their products.
        let most = lengths.iter().try_fold(bytes, |product, &length| product.checked_mul(length.max(1)));
        match most {
            Some(_) if lengths.len() <= 64 => {
                let count = lengths.iter().product();
                Ok(Self { lengths, count })
            }
            _ => Err(Fault::damaged(format!("the shape of {tensor} is no shape that a file can hold"))),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// `(40, 3, 8, 8)`, as Python would print it.
    pub(crate) fn words(&self) -> String {
        words(&self.lengths)
    }
}

/// Lengths of dimensions, as Python would print them.
pub(super) fn words(lengths: &[usize]) -> String {
    match lengths {
        [length] => format!("({length},)"),
        lengths => format!("({})", lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The row-major places of the values of a tensor, in the order in which Fortran stores them: first index fastest.
pub(super) fn fortran_places(shape: &Shape) -> impl Iterator<Item = usize> + use<> {
    let lengths = shape.lengths.clone();
    let mut strides = vec![1; lengths.len()];
    for axis in (1..lengths.len()).rev() {
        strides[axis - 1] = strides[axis] * lengths[axis];
    }
    let mut index = vec![0; lengths.len()];
    let mut place = 0;
    (0..shape.count).map(move |_| {
        let here = place;
        for axis in 0..lengths.len() {
            index[axis] += 1;
            place += strides[axis];
            if index[axis] < lengths[axis] {
                break;
            }
            place -= strides[axis] * index[axis];
            index[axis] = 0;
        }
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran_counts_the_first_index_fastest() {
        let shape = Shape::new("h.0", vec![2, 3, 4], 4).unwrap();
        let expected: Vec<usize> =
            (0..4).flat_map(|k| (0..3).flat_map(move |j| (0..2).map(move |i| (i * 3 + j) * 4 + k))).collect();
        assert_eq!(fortran_places(&shape).collect::<Vec<_>>(), expected);
        let scalar = Shape::new("epoch", vec![], 8).unwrap();
        assert_eq!(fortran_places(&scalar).collect::<Vec<_>>(), [0]);
        let empty = Shape::new("h.0", vec![3, 0], 8).unwrap();
        assert_eq!(fortran_places(&empty).count(), 0);
    }

    #[test]
    fn a_product_that_overflows_is_no_shape() {
        assert!(Shape::new("h.0", vec![usize::MAX, 2], 1).is_err());
        assert!(Shape::new("h.0", vec![usize::MAX / 4], 8).is_err());
        assert!(Shape::new("h.0", vec![0, usize::MAX, 2], 1).is_err());
        assert!(Shape::new("h.0", vec![1; 65], 1).is_err());
    }
}
