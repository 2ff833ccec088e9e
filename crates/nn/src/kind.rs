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
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::ALL[i].name();
            i += 1;
        }
        names
    };

    /// The name in a recipe.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resmlp => "resmlp",
            Self::Student => "student",
            Self::Vit => "vit",
            Self::Resnet => "resnet",
            Self::Lq => "lq",
        }
    }

    /// The network of that name.
    ///
    /// ```
    /// use nn::NetKind;
    /// assert_eq!(NetKind::from_name("vit"), Some(NetKind::Vit));
    /// assert_eq!(NetKind::from_name("mlp"), None);
    /// assert!(NetKind::NAMES.iter().all(|name| NetKind::from_name(name).is_some_and(|kind| kind.name() == *name)));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
