//! What trials must share to be drawn together: data, network, length of training, and whatever else differs between runs
//! of one rule and seed.

use std::cmp::Ordering;
use std::fmt;

/// What trials must share to be drawn together. Unknown strings are empty.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// As recipes name it, such as `cifar10`.
    pub data: String,
    /// As recipes name it, such as `resmlp`.
    pub network: String,
    /// Whether there is a LayerNorm before the head.
    pub out_ln: Option<bool>,
    /// Width of the hidden states.
    pub d: Option<u64>,
    /// Blocks, L.
    pub blocks: Option<u64>,
    /// Nonlinearity of the student.
    pub alpha: Option<f64>,
    /// Planned epochs. Unknown for foreign files, whose logs may have been cut short.
    pub epochs: Option<u64>,
    /// Epochs of the learning-rate schedule, if training was planned to stop earlier.
    pub schedule: Option<u64>,
    /// Other differences from settings that were read, such as `optim.lr = 0.01`.
    pub other: Vec<String>,
}

impl Setting {
    /// Whether nothing known of both differs.
    pub fn agrees(&self, other: &Self) -> bool {
        fn same<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> bool {
            a.is_none() || b.is_none() || a == b
        }
        let named = |a: &str, b: &str| a.is_empty() || b.is_empty() || a == b;
        named(&self.data, &other.data)
            && named(&self.network, &other.network)
            && same(&self.out_ln, &other.out_ln)
            && same(&self.d, &other.d)
            && same(&self.blocks, &other.blocks)
            && same(&self.alpha, &other.alpha)
            && same(&self.epochs, &other.epochs)
            && (self.epochs.is_none() || other.epochs.is_none() || self.schedule == other.schedule)
            && (self.other.is_empty() || other.other.is_empty() || self.other == other.other)
    }

    /// This, with unknown values taken from `other`.
    pub(crate) fn filled(&self, other: &Self) -> Self {
        let name = |a: &String, b: &String| if a.is_empty() { b.clone() } else { a.clone() };
        Self {
            data: name(&self.data, &other.data),
            network: name(&self.network, &other.network),
            out_ln: self.out_ln.or(other.out_ln),
            d: self.d.or(other.d),
            blocks: self.blocks.or(other.blocks),
            alpha: self.alpha.or(other.alpha),
            epochs: self.epochs.or(other.epochs),
            schedule: if self.epochs.is_some() { self.schedule } else { other.schedule },
            other: if self.other.is_empty() { other.other.clone() } else { self.other.clone() },
        }
    }

    /// Name and size of the network, such as `ResMLP d=256 L=4`; empty if unknown.
    fn network_words(&self) -> String {
        let mut words = vec![match self.network.as_str() {
            "resmlp" => "ResMLP".to_owned(),
            "student" => "StudentNet".to_owned(),
            "vit" => "ViT-Mini".to_owned(),
            "resnet" => "ResNet".to_owned(),
            "lq" => "LQ".to_owned(),
            other => other.to_owned(),
        }];
        words.extend(self.d.map(|d| format!("d={d}")));
        words.extend(self.blocks.map(|blocks| format!("L={blocks}")));
        words.extend(self.alpha.map(|alpha| format!("α={alpha}")));
        if self.out_ln == Some(false) {
            words.push("without terminal LN".to_owned());
        }
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }

    fn data_words(&self) -> &str {
        match self.data.as_str() {
            "cifar10" => "CIFAR-10",
            "cifar100" => "CIFAR-100",
            "mnist" => "MNIST",
            "fashion-mnist" => "Fashion-MNIST",
            "teacher" => "teacher's labels",
            other => other,
        }
    }

    fn epochs_words(&self) -> String {
        match (self.epochs, self.schedule) {
            (None, _) => String::new(),
            (Some(1), None) => "1 epoch".to_owned(),
            (Some(epochs), None) => format!("{epochs} epochs"),
            (Some(epochs), Some(schedule)) => format!("{epochs} of {schedule} epochs"),
        }
    }
}

/// A key of a recipe in words: as recipes write it, unless readers of a figure would have to look it up.
pub(super) fn of_key(key: &str, value: &str) -> String {
    match (key, value) {
        ("optim.clip", _) if value.parse::<f64>().is_ok() => clipping(value.parse().unwrap_or_default()),
        ("net.skip", "true") => "skip connections".to_owned(),
        ("net.skip", "false") => "no skip connections".to_owned(),
        _ => format!("{key} = {value}"),
    }
}

/// How gradients are clipped.
pub(crate) fn clipping(norm: f64) -> String {
    if norm == 0.0 { "no clipping".to_owned() } else { format!("clipped to norm {norm}") }
}

impl fmt::Display for Setting {
    /// In words, such as `CIFAR-10, ResMLP d=256 L=4, 30 epochs`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = vec![self.data_words().to_owned(), self.network_words(), self.epochs_words()];
        parts.extend(self.other.iter().cloned());
        parts.retain(|part| !part.is_empty());
        if parts.is_empty() {
            return f.write_str("unknown setting");
        }
        f.write_str(&parts.join(", "))
    }
}

impl Ord for Setting {
    fn cmp(&self, other: &Self) -> Ordering {
        // f64 has no `Ord`; no α comes first.
        let alpha = match (self.alpha, other.alpha) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        let names = |s: &Self| (s.data.clone(), s.network.clone(), s.out_ln, s.d, s.blocks);
        let lengths = |s: &Self| (s.epochs, s.schedule, s.other.clone());
        names(self).cmp(&names(other)).then(alpha).then_with(|| lengths(self).cmp(&lengths(other)))
    }
}

impl PartialOrd for Setting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Setting {}
