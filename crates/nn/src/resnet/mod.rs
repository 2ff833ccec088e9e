//! The small convolutional network `resnet`, with BatchNorm and without LayerNorm.
//!
//! Stem: h_0 = relu(BN(conv(x))) at half the image's side. Block: f(h) = BN2(conv2(relu(BN1(conv1(h))))), and
//! h_{l+1} = h_l + f_l(h_l). There is no ReLU behind the sum: as in the other networks the skip connection is the identity
//! and the stream between the blocks stays linear, so that credit at h_{l+1} is credit at f_l. One nonlinearity per block is
//! also what the perceptron has, and the stem's comes on top, so none is added at the block's entrance. A block that begins
//! a stage halves the side and doubles the channels; there h_{l+1} = f_l(h_l) = BN2(conv2(relu(BN1(conv1(h))))) +
//! BN(conv1×1(h)), without a skip connection beside it. Head: mean over the positions, then a linear layer.
//!
//! States lie sample by sample, position by position (row by row of the image), channels innermost. A convolution is a
//! product of patches and weight. Patches are nine times as large as what they are made of, so they are made for a few
//! samples at a time, which stay in the cache, and made again where a gradient needs them. What a BatchNorm and a ReLU do
//! to a value is done on the way into the patches as well: of each convolution only its output is kept.

mod conv;
mod network;
mod norm;
mod patches;
mod sides;
mod source;
mod spec;
mod statistics;
mod tape;

pub use spec::{Resnet, ResnetSpec};
pub use tape::ResnetTape;
