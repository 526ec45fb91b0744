//! Ctrl-C: while there is much to stop, the first asks and the second insists; before and afterwards the first one ends it.

use super::{Exit, render};
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first Ctrl-C; whoever works for long looks at it.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether there is nothing that looks at [`STOP`].
static DEAF: AtomicBool = AtomicBool::new(true);

/// From here on, Ctrl-C ends the program as [`Exit::Interrupted`], and not in the way of the system.
pub(super) fn hear() {
    let heard = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) || DEAF.load(Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        render::say("stopping; press Ctrl-C again to stop at once");
    });
    // Without a handler Ctrl-C simply ends the program, which is harmless: files appear whole or not at all.
    drop(heard);
}

/// From here on until [`at_once`], the first Ctrl-C sets the flag that is returned and the second ends the program at once.
pub(super) fn listen() -> &'static AtomicBool {
    DEAF.store(false, Ordering::Relaxed);
    &STOP
}

/// From here on, the first Ctrl-C ends the program at once; says whether one has been heard already.
pub(super) fn at_once() -> bool {
    DEAF.store(true, Ordering::Relaxed);
    STOP.load(Ordering::Relaxed)
}
