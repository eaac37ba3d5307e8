//! The rulers: dependent chains whose latency is known for a core, so that a time in TSC ticks
//! becomes one in core cycles.
//!
//! The figures are the published measurements of uops.info, checked against Agner Fog's tables and
//! the vendors' optimization manuals; each row says where a core stands out. The chains are
//! - `imul`: `imul %rax,%rax`
//! - `crc32`: `crc32 %rax,%rax` (64-bit source)
//! - `popcnt`: `popcnt %rax,%rax`
//! - `adc`: `adc %rdx,%rax`, which waits for both the register and the carry
//!
//! A chain of `add $imm` is no ruler: Golden Cove and later fold it at rename.

use super::microarchitecture::Core;
use crate::api::{Ruler, Sentinel};

/// Links by which the two lengths of a ruler differ: long enough that a tick of the TSC is a small
/// part of it, short enough that few rulers see an interrupt.
const LINKS: u32 = 600;

/// Instructions of the contention sentinel: ten turns of 30 groups of four.
const SENTINEL_INSTRUCTIONS: u32 = 10 * 30 * 4;

/// Latency of `imul r64,r64` in cycles.
fn imul(core: Core) -> f64 {
    match core {
        // One pipelined multiplier with three stages since Nehalem and since the first Zen.
        Core::Nehalem
        | Core::SandyBridge
        | Core::Haswell
        | Core::Broadwell
        | Core::Skylake
        | Core::PalmCove
        | Core::SunnyCove
        | Core::GoldenCove
        | Core::RedwoodCove
        | Core::LionCove
        | Core::CougarCove
        | Core::Zen1
        | Core::Zen2
        | Core::Zen3
        | Core::Zen4
        | Core::Zen5
        | Core::Zen6 => 3.0,
        // The small cores: the 64-bit multiply takes two more passes until Skymont.
        Core::Silvermont | Core::Goldmont | Core::Tremont | Core::Gracemont | Core::Crestmont => {
            5.0
        }
        Core::Skymont | Core::Darkmont => 4.0,
    }
}

/// Whether the latencies given here are measured ones, or carried over from the core's forebear.
fn published(core: Core) -> bool {
    match core {
        // The sources disagree on the first Zen's 64-bit multiply (3 or 4 cycles); the second ruler
        // settles it on the machine, and until then the figure counts as a guess.
        Core::Zen1 => false,
        // Not widely measured, or too new to be.
        Core::PalmCove
        | Core::CougarCove
        | Core::Darkmont
        | Core::Zen6
        | Core::Silvermont
        | Core::Goldmont
        | Core::Tremont => false,
        _ => true,
    }
}

/// A ruler of another kind: instruction and latency in cycles.
fn second(core: Core) -> (&'static str, f64) {
    match core {
        // Zen counts bits in one cycle in any ALU, while its multiplier takes three.
        Core::Zen1 | Core::Zen2 | Core::Zen3 | Core::Zen4 | Core::Zen5 | Core::Zen6 => {
            ("popcnt", 1.0)
        }
        // Lion Cove moved the three-cycle operations other than `imul` to four.
        Core::LionCove | Core::CougarCove => ("crc32", 4.0),
        _ => ("crc32", 3.0),
    }
}

/// Instructions that a core can rename in one cycle, where that is documented: no code of distinct
/// instructions that are neither fused nor eliminated before rename runs faster.
fn rename_width(core: Core) -> Option<u32> {
    match core {
        Core::Nehalem | Core::SandyBridge | Core::Haswell | Core::Broadwell | Core::Skylake => {
            Some(4)
        }
        Core::SunnyCove | Core::Gracemont => Some(5),
        Core::GoldenCove | Core::RedwoodCove => Some(6),
        Core::LionCove | Core::Skymont | Core::Zen5 => Some(8),
        Core::Zen1 | Core::Zen2 | Core::Zen3 | Core::Zen4 => Some(6),
        _ => None,
    }
}

/// The main ruler and, where the CPU has the instruction, the second one. An unknown core gets the
/// figures most cores have, marked as not known.
pub(super) fn rulers(core: Option<Core>, has: impl Fn(&str) -> bool) -> (Ruler, Option<Ruler>) {
    let known_model = core.is_some_and(published);
    let ruler = |instruction: &str, links: u32, cycles_per_link: f64| Ruler {
        instruction: instruction.to_owned(),
        links,
        cycles_per_link,
        known_model,
    };
    let main = ruler("imul", LINKS, core.map_or(3.0, imul));
    let (instruction, cycles) = core.map_or(("crc32", 3.0), second);
    // `crc32` came with SSE4.2, `popcnt` with a bit of its own.
    let flag = if instruction == "crc32" {
        "sse4_2"
    } else {
        instruction
    };
    // As long as the first, so that both feel the TSC's grain alike (some tick 36 at a time).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few thousand"
    )]
    let links = (f64::from(LINKS) * main.cycles_per_link / cycles).round() as u32;
    let second = has(flag).then(|| ruler(instruction, links, cycles));
    (main, second)
}

/// The contention sentinel. `least_cycles` is a bound by rename width, well below what the code
/// reaches (349 on Golden Cove, whose bound is 200): a floor below it is a fault of the clock.
pub(super) fn sentinel(core: Option<Core>) -> Sentinel {
    Sentinel {
        instructions: SENTINEL_INSTRUCTIONS,
        least_cycles: core
            .and_then(rename_width)
            .map(|width| f64::from(SENTINEL_INSTRUCTIONS) / f64::from(width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(core: Core, imul: f64, other: (&str, f64), known: bool) {
        let (main, second) = rulers(Some(core), |_| true);
        let second = second.expect("every feature is there");
        assert_eq!(
            (main.instruction.as_str(), main.cycles_per_link),
            ("imul", imul),
            "{core:?}"
        );
        assert_eq!(
            (second.instruction.as_str(), second.cycles_per_link),
            other,
            "{core:?}"
        );
        assert_eq!(
            (main.known_model, second.known_model),
            (known, known),
            "{core:?}"
        );
    }

    #[test]
    fn latencies_follow_the_core() {
        check(Core::GoldenCove, 3.0, ("crc32", 3.0), true);
        check(Core::Nehalem, 3.0, ("crc32", 3.0), true);
        check(Core::LionCove, 3.0, ("crc32", 4.0), true);
        check(Core::Gracemont, 5.0, ("crc32", 3.0), true);
        check(Core::Crestmont, 5.0, ("crc32", 3.0), true);
        check(Core::Skymont, 4.0, ("crc32", 3.0), true);
        check(Core::Zen4, 3.0, ("popcnt", 1.0), true);
        check(Core::Zen1, 3.0, ("popcnt", 1.0), false);
    }

    #[test]
    fn the_documented_table_is_this_one() {
        let table = include_str!("../../../../docs/rulers.md");
        for core in Core::ALL {
            let name = core.name();
            let row = table
                .lines()
                .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
                .find(|cells| cells.get(1) == Some(&name))
                .unwrap_or_else(|| panic!("{name} has no row"));
            let (instruction, cycles) = second(core);
            let measured = if published(core) { "yes" } else { "no" };
            assert_eq!(row[2], imul(core).to_string(), "{name}");
            assert_eq!(row[3], format!("{instruction} {cycles}"), "{name}");
            // The second ruler is one of the columns behind it.
            let column = if instruction == "popcnt" { 4 } else { 5 };
            assert_eq!(row[column], cycles.to_string(), "{name}");
            assert_eq!(row[7], measured, "{name}");
        }
    }

    #[test]
    fn both_rulers_take_the_same_time() {
        for core in [
            Core::GoldenCove,
            Core::LionCove,
            Core::Gracemont,
            Core::Zen4,
        ] {
            let (main, second) = rulers(Some(core), |_| true);
            let second = second.expect("every feature is there");
            let cycles = |ruler: &Ruler| f64::from(ruler.links) * ruler.cycles_per_link;
            assert!((cycles(&main) - cycles(&second)).abs() < 5.0, "{core:?}");
        }
    }

    #[test]
    fn an_unknown_core_gets_a_guess_that_says_so() {
        let (main, second) = rulers(None, |_| true);
        assert!(!main.known_model);
        assert!(!second.expect("every feature is there").known_model);
    }

    #[test]
    fn there_is_no_second_ruler_without_its_instruction() {
        let (_, second) = rulers(Some(Core::GoldenCove), |flag| flag != "sse4_2");
        assert_eq!(second, None);
    }

    #[test]
    fn the_bound_of_the_sentinel_is_below_what_it_takes() {
        let golden_cove = sentinel(Some(Core::GoldenCove))
            .least_cycles
            .expect("known width");
        assert!((150.0..349.0).contains(&golden_cove), "{golden_cove}");
        assert_eq!(sentinel(None).least_cycles, None);
    }
}
