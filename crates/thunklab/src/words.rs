//! The same word in several crates: each has its own type for it, because none of them may know
//! the others.

use record::{Context, ParamValue, Params, Verdict};
use sequence::Sequence;

/// A sequence file's context as records name it.
pub(crate) fn context(context: sequence::Context) -> Context {
    match context {
        sequence::Context::Chained => Context::Chained,
        sequence::Context::Overlap => Context::Overlap,
        sequence::Context::Isolated => Context::Isolated,
        sequence::Context::History => Context::History,
    }
}

/// A measure's context as records name it.
pub(crate) fn measured(context: machine::Context) -> Context {
    match context {
        machine::Context::Chained => Context::Chained,
        machine::Context::Overlap => Context::Overlap,
        machine::Context::Isolated => Context::Isolated,
        machine::Context::History => Context::History,
    }
}

/// A context as the machine takes it.
pub(crate) fn timed(context: Context) -> machine::Context {
    match context {
        Context::Chained => machine::Context::Chained,
        Context::Overlap => machine::Context::Overlap,
        Context::Isolated => machine::Context::Isolated,
        Context::History => machine::Context::History,
    }
}

/// A comparison's verdict as records name it.
pub(crate) fn verdict(verdict: stats::Verdict) -> Verdict {
    match verdict {
        stats::Verdict::Slower => Verdict::Slower,
        stats::Verdict::Faster => Verdict::Faster,
        stats::Verdict::NoDifference => Verdict::NoDifference,
    }
}

/// A failure's kind as records name it.
pub(crate) fn failure(kind: machine::FailureKind) -> record::FailureKind {
    match kind {
        machine::FailureKind::Signal => record::FailureKind::Signal,
        machine::FailureKind::Timeout => record::FailureKind::Timeout,
        machine::FailureKind::Exit => record::FailureKind::Exit,
        machine::FailureKind::Syscall => record::FailureKind::Syscall,
        machine::FailureKind::Stack => record::FailureKind::Stack,
        machine::FailureKind::State => record::FailureKind::State,
        machine::FailureKind::Tampered => record::FailureKind::Tampered,
    }
}

/// How an entry is written to the machine.
pub(crate) fn entry(entry: &sequence::Entry) -> machine::Entry {
    match entry {
        sequence::Entry::Call(symbol) => machine::Entry::Call(symbol.clone()),
        sequence::Entry::Inline => machine::Entry::Inline,
    }
}

/// A seccomp filter as the machine takes it.
pub(crate) fn filter(filter: sequence::Filter) -> machine::Filter {
    match filter {
        sequence::Filter::None => machine::Filter::None,
        sequence::Filter::Cached => machine::Filter::Cached,
        sequence::Filter::Accept(instructions) => machine::Filter::Accept(instructions),
    }
}

/// A random table as the machine fills it.
pub(crate) fn random(random: &sequence::Random) -> machine::Random {
    machine::Random {
        symbol: random.symbol.clone(),
        count: random.count,
        below: random.below,
        width: match random.width {
            sequence::Width::Byte => machine::Width::Byte,
            sequence::Width::Word => machine::Width::Word,
            sequence::Width::Long => machine::Width::Long,
        },
    }
}

/// Params as records have them, in the file's order.
pub(crate) fn params(sequence: &Sequence, params: &sequence::Params) -> Params {
    let declared = sequence.params.iter();
    declared
        .filter_map(|param| {
            let value = params.get(&param.name)?;
            Some((param.name.clone(), ParamValue::from(value.as_str())))
        })
        .collect()
}

/// Bytes as records have them: two lower-case digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
