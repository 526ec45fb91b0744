//! How far a run is, on a terminal: how much is done, how much a second, time left.

use super::out::columns_of_stderr;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the bar is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// What the bar says where a terminal has at least so many columns, the widest first.
const TEMPLATES: [(u16, &str); 3] = [
    (72, "[{wide_bar}] {human_pos} of {human_len} {msg}, {rate}, {eta} left"),
    (52, "[{wide_bar}] {human_pos} of {human_len}, {eta} left"),
    (0, "[{wide_bar}] {percent} %, {eta} left"),
];

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
            let bar = ProgressBar::new(total).with_message(things);
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                fit(&bar, columns_of_stderr());
                bar.set_position(done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let _finished = finished; // dropped when the work ends, even by a panic, which ends the thread above
        work()
    })
}

/// Lets a bar say what has room in so many columns; a template that cannot be read leaves it as it is.
fn fit(bar: &ProgressBar, columns: u16) {
    let template = TEMPLATES.iter().find(|(least, _)| columns >= *least);
    if let Some(Ok(style)) = template.map(|(_, text)| ProgressStyle::with_template(text)) {
        bar.set_style(style.with_key("rate", rate).progress_chars("=> "));
    }
}

/// `1.2 million/s`.
fn rate(state: &ProgressState, text: &mut dyn Write) {
    let per_second = state.per_sec();
    // A text that cannot be written is only a bar that is not drawn.
    let _ = match per_second {
        // what had been played before came all at once
        1e9.. => write!(text, "> 1 billion/s"),
        1e6.. => write!(text, "{:.1} million/s", per_second / 1e6),
        _ => write!(text, "{per_second:.0}/s"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{ProgressDrawTarget, TermLike};
    use std::io::Result;
    use std::sync::{Arc, Mutex};

    /// A terminal of so many columns, and what stands in its line.
    #[derive(Clone, Debug, Default)]
    struct Screen(u16, Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            self.0
        }
        fn move_cursor_up(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> Result<()> {
            self.1.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> Result<()> {
            self.1.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> Result<()> {
            Ok(())
        }
    }

    /// The bar of a very long run, on a terminal of so many columns.
    fn drawn(columns: u16) -> String {
        let screen = Screen(columns, Arc::default());
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let bar = ProgressBar::with_draw_target(Some(57_600_000_000), target).with_message("trials");
        fit(&bar, columns);
        bar.set_position(14_400_000_000);
        bar.force_draw();
        let text = screen.1.lock().unwrap();
        text.trim_end().to_owned()
    }

    #[test]
    fn a_bar_fits_its_terminal() {
        for columns in 24..=120 {
            let text = drawn(columns);
            assert!(text.chars().count() <= columns.into() && text.starts_with('['), "{columns}: {text}");
        }
        assert!(drawn(80).contains("] 14,400,000,000 of 57,600,000,000 trials, "), "{}", drawn(80));
        assert!(drawn(60).contains("] 14,400,000,000 of 57,600,000,000, "), "{}", drawn(60));
        assert!(drawn(40).contains("] 25 %, "), "{}", drawn(40));
    }

    #[test]
    fn work_is_done_and_its_result_handed_back() {
        let done = AtomicU64::new(0);
        assert_eq!(watch((10, "trials"), &done, true, || done.fetch_add(10, Ordering::Relaxed)), 0);
        assert_eq!(done.load(Ordering::Relaxed), 10);
    }
}
