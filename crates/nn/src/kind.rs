//! The networks that a recipe can name.

/// A network by its name in a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetKind {
    /// The residual perceptron.
    Resmlp,
    /// The perceptron without LayerNorm, between linear and tanh.
    Student,
    /// The vision transformer.
    Vit,
    /// The convolutional network.
    Resnet,
    /// The linear-quadratic system.
    Lq,
}

impl NetKind {
    /// All of them, in the order of listings.
    pub const ALL: [Self; 5] = [Self::Resmlp, Self::Student, Self::Vit, Self::Resnet, Self::Lq];

    /// Their names, in that order.
    pub const NAMES: [&'static str; Self::ALL.len()] = ["resmlp", "student", "vit", "resnet", "lq"];

    /// The name in a recipe.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The network of that name.
    ///
    /// ```
    /// use nn::NetKind;
    /// assert_eq!(NetKind::from_name("vit"), Some(NetKind::Vit));
    /// assert_eq!(NetKind::from_name("mlp"), None);
    /// assert_eq!(NetKind::ALL.map(NetKind::name), NetKind::NAMES);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
