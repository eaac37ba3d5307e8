//! One CPU of each kind of core.

use super::affinity::{allowed_cpus, choose_cpu, on_cpu};
use super::identity;
use super::microarchitecture::CoreType;
use crate::api::Error;

/// One CPU of each kind of core that this process may run on: the usual choice first, then the first
/// CPU of each other kind. On a machine of one kind there is nothing to look for.
///
/// # Errors
/// Where it may run on none.
pub(crate) fn one_of_each_kind() -> Result<Vec<u32>, Error> {
    let first = choose_cpu(None)?;
    // CPUID's leaf tells of the core it runs on.
    each(first, &allowed_cpus(), |cpu| on_cpu(cpu, identity::kind))
}

/// CPUs that cannot be asked are passed over, the first excepted.
fn each(
    first: u32,
    allowed: &[u32],
    mut kind: impl FnMut(u32) -> Result<Option<CoreType>, Error>,
) -> Result<Vec<u32>, Error> {
    let mut cpus = vec![first];
    let Some(first_kind) = kind(first)? else {
        return Ok(cpus);
    };
    let mut kinds = vec![first_kind];
    for &cpu in allowed.iter().filter(|cpu| **cpu != first) {
        if let Ok(Some(kind)) = kind(cpu)
            && !kinds.contains(&kind)
        {
            kinds.push(kind);
            cpus.push(cpu);
        }
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Option<CoreType> = Some(CoreType::Performance);
    const E: Option<CoreType> = Some(CoreType::Efficient);

    #[test]
    fn the_first_cpu_of_each_other_kind_is_found() {
        // Eight big cores with two threads each, then eight small ones: there are more CPUs than
        // cores, and the small ones are the last.
        let allowed: Vec<u32> = (0..24).collect();
        let kind = |cpu: u32| Ok(if cpu < 16 { P } else { E });
        assert_eq!(each(23, &allowed, kind), Ok(vec![23, 0]));
        assert_eq!(each(0, &allowed, kind), Ok(vec![0, 16]));
        assert_eq!(each(3, &[3, 18], kind), Ok(vec![3, 18]));
    }

    #[test]
    fn on_a_machine_of_one_kind_nothing_is_looked_for() {
        let mut asked = 0;
        let found = each(1, &[0, 1], |_| {
            asked += 1;
            Ok(None)
        });
        assert_eq!((found, asked), (Ok(vec![1]), 1));
    }

    #[test]
    fn a_cpu_that_cannot_be_asked_is_passed_over() {
        let kind = |cpu: u32| match cpu {
            0 => Ok(P),
            1 => Err(Error {
                message: "gone".to_owned(),
                advice: String::new(),
            }),
            _ => Ok(E),
        };
        assert_eq!(each(0, &[0, 1, 2], kind), Ok(vec![0, 2]));
        assert!(each(1, &[0, 1, 2], kind).is_err());
    }

    #[test]
    fn this_machine_has_at_least_one_kind() {
        let found = one_of_each_kind().expect("some CPU is allowed");
        assert_eq!(found.first().copied(), choose_cpu(None).ok());
    }
}
