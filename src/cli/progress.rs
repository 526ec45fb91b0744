//! How far a run is, on a terminal: how much is done, how much a second, time left.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(100);

const TEMPLATE: &str = "[{wide_bar}] {human_pos} of {human_len} {msg}, {rate}, {eta} left";

/// Does `work`, which counts up `done` to `total` of something (its plural), and shows how far it is; shows nothing if
/// `quiet`, or where standard error is no terminal.
pub(super) fn watch<T>(
    (total, things): (u64, &'static str),
    done: &AtomicU64,
    quiet: bool,
    work: impl FnOnce() -> T,
) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let (finished, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let bar = bar(total).with_message(things);
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let _finished = finished; // dropped when the work ends, even by a panic, which ends the thread above
        work()
    })
}

/// An empty bar; a template that cannot be read would leave the plain one.
fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    match ProgressStyle::with_template(TEMPLATE) {
        Ok(style) => bar.with_style(style.with_key("rate", rate).progress_chars("=> ")),
        Err(_) => bar,
    }
}

/// `1.2 million/s`.
fn rate(state: &ProgressState, text: &mut dyn Write) {
    let per_second = state.per_sec();
    // A text that cannot be written is only a bar that is not drawn.
    let _ = match per_second {
        1e6.. => write!(text, "{:.1} million/s", per_second / 1e6),
        _ => write!(text, "{per_second:.0}/s"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_template_can_be_read() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }

    #[test]
    fn work_is_done_and_its_result_handed_back() {
        let done = AtomicU64::new(0);
        assert_eq!(watch((10, "trials"), &done, true, || done.fetch_add(10, Ordering::Relaxed)), 0);
        assert_eq!(done.load(Ordering::Relaxed), 10);
    }
}
