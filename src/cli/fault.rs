//! What is said when houserule itself is wrong.

use super::{Exit, render};
use std::panic::{PanicHookInfo, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs `program`; a panic in it, on any thread, becomes one friendly paragraph and [`Exit::Fault`].
pub(super) fn guard(program: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    let said = AtomicBool::new(false); // several threads may fall over the same fault
    std::panic::set_hook(Box::new(move |fault| {
        if !said.swap(true, Ordering::Relaxed) {
            render::say(&sentence(fault));
        }
    }));
    caught(program)
}

/// How `program` ends.
fn caught(program: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    std::panic::catch_unwind(program).unwrap_or(Exit::Fault)
}

/// The paragraph: whose fault it is, what it was, and what to do.
fn sentence(fault: &PanicHookInfo<'_>) -> String {
    let what = fault.payload_as_str().unwrap_or("unknown");
    let place = fault.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "error: this is a fault in houserule, not in your files: {what}{}\n\
         Please report it together with the files and the command you used.",
        place.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_exit_code_1() {
        assert_eq!(caught(|| panic!("a dragon ate the dice")), Exit::Fault);
        assert_eq!(caught(|| Exit::Done), Exit::Done);
    }
}
