//! The stream of random numbers that fills tables, permutes rounds and places images.
//!
//! Its own few lines instead of a crate: the same seed must give the same tables and orders in
//! every version of the program, and the worker draws from it between two samples.

/// SplitMix64, by Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    /// A stream of its own for each (seed, purpose) pair.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        let mut stream = Self(seed ^ purpose.wrapping_mul(0xd1b5_4a32_d192_ed03));
        stream.next();
        stream
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `below` (0 if `below` is 0), by multiplication: the bias is below 2^-32.
    pub(crate) fn below(&mut self, below: u32) -> u32 {
        (((self.next() >> 32) * u64::from(below)) >> 32) as u32
    }

    /// Puts `items` into random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(bound) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, purpose| Stream::new(seed, purpose).next();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn below_stays_below_and_reaches_all() {
        let mut stream = Stream::new(7, 0);
        let mut seen = [false; 16];
        for _ in 0..1000 {
            seen[stream.below(16) as usize] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
        assert_eq!(stream.below(0), 0);
    }

    #[test]
    fn shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Stream::new(1, 1).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
