//! Small values that appear in many places of a record: contexts, verdicts, params, addresses.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands between two runs of a body.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    /// Nothing: registers flow from one run into the next.
    Chained,
    /// The 15 general registers other than `%rsp`, zeroed.
    Overlap,
    /// One `lfence`.
    Isolated,
    /// 24 branches on fresh random bits, then the run, then `lfence`.
    History,
}

impl Context {
    /// All contexts, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Chained, Self::Overlap, Self::Isolated, Self::History];

    /// The word that stands for it in sequence files, records and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chained => "chained",
            Self::Overlap => "overlap",
            Self::Isolated => "isolated",
            Self::History => "history",
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownContext(pub String);

impl fmt::Display for UnknownContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no context; there are chained, overlap, isolated, history",
            self.0
        )
    }
}

impl std::error::Error for UnknownContext {}

impl FromStr for Context {
    type Err = UnknownContext;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|context| context.word() == word)
            .ok_or_else(|| UnknownContext(word.to_owned()))
    }
}

/// What an interval says of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More cycles than what it is compared with.
    Slower,
    /// Fewer cycles.
    Faster,
    /// The interval holds 1, or the difference is below the noise floor.
    NoDifference,
}

impl Verdict {
    /// The word in records and CSV.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::NoDifference => "no-difference",
        }
    }
}

/// The value of a param: an integer, or one of the listed words.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged)]
pub enum ParamValue {
    /// An integer.
    Integer(i64),
    /// A word.
    Word(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl From<&str> for ParamValue {
    /// Decimal text becomes an integer, anything else stays a word.
    fn from(text: &str) -> Self {
        text.parse()
            .map_or_else(|_| Self::Word(text.to_owned()), Self::Integer)
    }
}

/// Params of one variant, in the order in which the sequence file declares them. Two of them are
/// equal whatever that order is.
pub type Params = IndexMap<String, ParamValue>;

/// A 64-bit address, written as `"0x..."`: JSON's numbers lose the low bits of large ones in many
/// readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'_, str>::deserialize(deserializer)?;
        text.strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .map(Self)
            .ok_or_else(|| D::Error::custom("an address is a string \"0x...\" of up to 64 bits"))
    }
}

impl JsonSchema for Address {
    fn schema_name() -> Cow<'static, str> {
        "Address".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^0x[0-9a-f]{1,16}$"})
    }
}

/// Reads a map whose keys are contexts. A context that a later version added is skipped, like any
/// other unknown key.
pub(crate) fn by_context<'de, D, T>(deserializer: D) -> Result<BTreeMap<Context, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct ByContext<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for ByContext<T> {
        type Value = BTreeMap<Context, T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map from contexts")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = BTreeMap::new();
            while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                if let Ok(context) = key.parse() {
                    found.insert(context, map.next_value()?);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(found)
        }
    }

    deserializer.deserialize_map(ByContext(PhantomData))
}

/// Reads a list of contexts, skipping those that a later version added.
pub(crate) fn contexts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Context>, D::Error> {
    struct Contexts;

    impl<'de> Visitor<'de> for Contexts {
        type Value = Vec<Context>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of contexts")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut found = Vec::new();
            while let Some(word) = seq.next_element::<Cow<'de, str>>()? {
                found.extend(word.parse::<Context>());
            }
            Ok(found)
        }
    }

    deserializer.deserialize_seq(Contexts)
}
