//! Numbers in JSON, which has no word for infinity and NaN: they are written as strings and read back as such.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that may be infinite or NaN.
#[derive(Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_finite() => serializer.serialize_f64(x),
            x if x.is_nan() => serializer.serialize_str("nan"),
            x if x > 0.0 => serializer.serialize_str("inf"),
            _ => serializer.serialize_str("-inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Number;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, or one of \"inf\", \"-inf\", \"nan\"")
            }
            fn visit_f64<E>(self, x: f64) -> Result<Number, E> {
                Ok(Number(x))
            }
            fn visit_u64<E>(self, x: u64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_i64<E>(self, x: i64) -> Result<Number, E> {
                Ok(Number(x as f64))
            }
            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Number, E> {
                match word {
                    "inf" => Ok(Number(f64::INFINITY)),
                    "-inf" => Ok(Number(f64::NEG_INFINITY)),
                    "nan" => Ok(Number(f64::NAN)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(word), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

pub(crate) fn serialize<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*x).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Number::deserialize(deserializer).map(|n| n.0)
}

/// The same for a list.
pub(crate) mod list {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(list: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(|&x| Number(x)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<Number>::deserialize(deserializer)?.into_iter().map(|n| n.0).collect())
    }
}

/// The same for a map.
pub(crate) mod entries {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    pub(crate) fn serialize<S: Serializer>(
        map: &BTreeMap<String, f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(map.iter().map(|(name, &x)| (name, Number(x))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, f64>, D::Error> {
        let map = BTreeMap::<String, Number>::deserialize(deserializer)?;
        Ok(map.into_iter().map(|(name, x)| (name, x.0)).collect())
    }
}

/// The same for one that may be absent.
pub(crate) mod option {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(x: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        x.map(Number).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Number>::deserialize(deserializer)?.map(|n| n.0))
    }
}

/// The same for a list of such.
pub(crate) mod options {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(list: &[Option<f64>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(|x| x.map(Number)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<f64>>, D::Error> {
        Ok(Vec::<Option<Number>>::deserialize(deserializer)?.into_iter().map(|x| x.map(|n| n.0)).collect())
    }
}

/// The same for a map that may be absent.
pub(crate) mod map {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    type Map = BTreeMap<String, f64>;

    pub(crate) fn serialize<S: Serializer>(map: &Option<Map>, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers =
            map.as_ref().map(|map| map.iter().map(|(k, &x)| (k, Number(x))).collect::<BTreeMap<_, _>>());
        numbers.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Map>, D::Error> {
        let numbers = Option::<BTreeMap<String, Number>>::deserialize(deserializer)?;
        Ok(numbers.map(|map| map.into_iter().map(|(k, n)| (k, n.0)).collect()))
    }
}
