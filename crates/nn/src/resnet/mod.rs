//! The small convolutional network `resnet`, with BatchNorm and without LayerNorm.
//!
//! Stem: h_0 = relu(BN(conv(x))) at half the image's side. Block: f(h) = BN2(conv2(relu(BN1(conv1(h))))), and
//! h_{l+1} = h_l + f_l(h_l). There is no ReLU after the sum: as in the other networks the skip connection is the identity
//! and the stream between the blocks stays linear, so that credit at h_{l+1} is credit at f_l. Each block has one
//! nonlinearity, like the perceptron's. A block that begins a stage halves the side and doubles the channels; it has no
//! skip connection, and h_{l+1} = f_l(h_l) = BN2(conv2(relu(BN1(conv1(h))))) + BN(conv1×1(h)). Head: mean over the
//! positions, then a linear layer.
//!
//! States are stored sample by sample, position by position (row by row of the image), channels innermost. A convolution is
//! a product of patches and weight. Patches are nine times as large as their input, so they are built for a few samples at
//! a time, which stay in the cache, and again for the gradient. BatchNorm and ReLU are applied while patches are built: of
//! each convolution only its output is kept.

mod batch_norm;
mod conv;
mod convs;
mod difference;
mod layout;
mod network;
mod patches;
mod source;
mod spec;
mod tape;

pub use layout::Resnet;
pub use spec::ResnetSpec;
pub use tape::ResnetTape;
