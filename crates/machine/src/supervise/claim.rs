//! One measurement at a time on a CPU, as far as they can know of each other.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use crate::api::Event;

/// A CPU that is being measured on. The name of an abstract socket is the claim: no file is left
/// behind, and the kernel takes it back however this process ends. Processes in other network
/// namespaces (containers) do not see it.
#[derive(Debug)]
pub(super) struct Claim {
    _held: Option<UnixListener>,
    /// The CPU, if another process has it.
    taken: Option<u32>,
}

impl Claim {
    /// Claims a CPU for as long as this lives.
    pub(super) fn new(cpu: u32) -> Self {
        Self::named("thunklab", cpu)
    }

    fn named(name: &str, cpu: u32) -> Self {
        let address = SocketAddr::from_abstract_name(format!("{name}-cpu-{cpu}"));
        let held = address.and_then(|address| UnixListener::bind_addr(&address));
        let taken = matches!(&held, Err(error) if error.kind() == std::io::ErrorKind::AddrInUse);
        Self {
            // Where there are no such sockets, nothing is known, and nothing is said.
            _held: held.ok(),
            taken: taken.then_some(cpu),
        }
    }

    /// A warning where another process has the claim.
    pub(super) fn warning(&self) -> Option<Event> {
        self.taken.map(|cpu| Event::Warning {
            kind: "cpu-shared".to_owned(),
            message: format!("another thunklab measures on CPU {cpu} at the same time"),
            advice: "wait until it has ended, or give each its own --cpu".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_warned() {
        let name = format!("thunklab-test-{}", std::process::id());
        let first = Claim::named(&name, 3);
        assert!(first.warning().is_none());
        assert!(Claim::named(&name, 4).warning().is_none(), "another CPU");
        match Claim::named(&name, 3).warning() {
            Some(Event::Warning { message, .. }) => assert!(message.contains("CPU 3"), "{message}"),
            other => panic!("{other:?}"),
        }
        drop(first);
        assert!(Claim::named(&name, 3).warning().is_none(), "given back");
    }
}
