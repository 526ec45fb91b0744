//! Small numbers drawn from a larger one, always the same.

/// Draws numbers that depend on nothing but where it began.
///
/// **Source:** SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub(crate) struct Luck(u64);

impl Luck {
    /// What follows from a number.
    pub(crate) fn new(number: u64) -> Self {
        let mut luck = Self(number.wrapping_mul(0xd134_2543_de82_ef95));
        luck.next();
        luck
    }

    /// What follows from a number and a name.
    pub(crate) fn named(number: u64, name: &str) -> Self {
        let mix = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self::new(name.bytes().fold(number ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// One of `0..end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// One of `low..=high`.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// Yes once in so many times.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these, if there are any.
    pub(crate) fn any<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() { None } else { Some(self.of(of)) }
    }

    /// One of these.
    pub(crate) fn of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A position, by weight.
    pub(crate) fn weighed(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (at, weight) in weights.iter().enumerate() {
            if left < *weight {
                return at;
            }
            left -= weight;
        }
        unreachable!("the weights add up to their sum")
    }
}
