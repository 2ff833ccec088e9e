//! Checked shapes, and Fortran's order of values.

use crate::Fault;

/// The lengths of a tensor's dimensions, whose product does not overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorShape {
    lengths: Vec<usize>,
    count: usize,
}

impl TensorShape {
    /// Refuses shapes whose number of bytes overflows, and more than 64 dimensions.
    pub(crate) fn new(tensor: &str, lengths: Vec<usize>, bytes: usize) -> Result<Self, Fault> {
        // An empty dimension must not hide an overflow of the others: strides are their products.
        let most = lengths.iter().try_fold(bytes, |product, &length| product.checked_mul(length.max(1)));
        match most {
            Some(_) if lengths.len() <= 64 => {
                let count = lengths.iter().product();
                Ok(Self { lengths, count })
            }
            _ => Err(Fault::damaged(format!("the shape of {tensor} is too large for any file"))),
        }
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Lengths of the dimensions.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// As Python prints it: `(40, 3, 8, 8)`.
    pub fn words(&self) -> String {
        words(&self.lengths)
    }
}

/// Lengths of dimensions, as Python prints them.
pub(crate) fn words(lengths: &[usize]) -> String {
    match lengths {
        [length] => format!("({length},)"),
        lengths => format!("({})", lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The row-major indices of the values of a tensor, in Fortran's order: first index fastest.
pub(crate) fn fortran_indices(shape: &TensorShape) -> impl Iterator<Item = usize> + use<> {
    let lengths = shape.lengths.clone();
    let mut strides = vec![1; lengths.len()];
    for axis in (1..lengths.len()).rev() {
        strides[axis - 1] = strides[axis] * lengths[axis];
    }
    let mut index = vec![0; lengths.len()];
    let mut next = 0;
    (0..shape.count).map(move |_| {
        let here = next;
        for axis in 0..lengths.len() {
            index[axis] += 1;
            next += strides[axis];
            if index[axis] < lengths[axis] {
                break;
            }
            next -= strides[axis] * index[axis];
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
        let shape = TensorShape::new("h.0", vec![2, 3, 4], 4).unwrap();
        let expected: Vec<usize> =
            (0..4).flat_map(|k| (0..3).flat_map(move |j| (0..2).map(move |i| (i * 3 + j) * 4 + k))).collect();
        assert_eq!(fortran_indices(&shape).collect::<Vec<_>>(), expected);
        let scalar = TensorShape::new("epoch", vec![], 8).unwrap();
        assert_eq!(fortran_indices(&scalar).collect::<Vec<_>>(), [0]);
        let empty = TensorShape::new("h.0", vec![3, 0], 8).unwrap();
        assert_eq!(fortran_indices(&empty).count(), 0);
    }

    #[test]
    fn a_product_that_overflows_is_no_shape() {
        assert!(TensorShape::new("h.0", vec![usize::MAX, 2], 1).is_err());
        assert!(TensorShape::new("h.0", vec![usize::MAX / 4], 8).is_err());
        assert!(TensorShape::new("h.0", vec![0, usize::MAX, 2], 1).is_err());
        assert!(TensorShape::new("h.0", vec![1; 65], 1).is_err());
    }
}
