//! The one door to the processor's vector width: the same loops, compiled for wider vectors where the processor has them.
//!
//! Lanes take their dice by their numbers, so the width changes no result. **Never:** anything else that is unsafe.

use super::code::Code;
use super::lanes::Lanes;
use crate::plan::Tally;
use crate::plan::program::RecordId;
use crate::random::Streams;

/// As [`Lanes::play`], as wide as the processor can.
pub(super) fn play(
    lanes: &mut Lanes,
    code: &Code,
    streams: Streams,
    trials: usize,
    joint: &[RecordId],
) -> Tally {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        #[expect(
            unsafe_code,
            reason = "the processor was asked whether it has what the function is compiled for"
        )]
        // SAFETY: all three features were found just above.
        return unsafe { wide(lanes, code, streams, trials, joint) };
    }
    lanes.play(code, streams, trials, joint)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn wide(lanes: &mut Lanes, code: &Code, streams: Streams, trials: usize, joint: &[RecordId]) -> Tally {
    lanes.play(code, streams, trials, joint)
}

/// As [`Streams::fill`], as wide as the processor can: with 512 bits a product of two 64-bit numbers is one instruction.
pub(super) fn fill(streams: &mut Streams, words: &mut [u16]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi2")
    {
        #[expect(
            unsafe_code,
            reason = "the processor was asked whether it has what the function is compiled for"
        )]
        // SAFETY: all features were found just above; `avx512dq` and `avx512vl` imply `avx512f`.
        return unsafe { fill_wide(streams, words) };
    }
    fill_narrow(streams, words);
}

/// It stays a function by itself: inside a large one the lanes would not find registers enough.
#[inline(never)]
fn fill_narrow(streams: &mut Streams, words: &mut [u16]) {
    streams.fill(words);
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi2,avx512f,avx512dq,avx512vl")]
fn fill_wide(streams: &mut Streams, words: &mut [u16]) {
    streams.fill(words);
}

#[cfg(test)]
mod tests;
