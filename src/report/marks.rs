//! The mark of a figure that was counted, where figures beside it are exact.
//!
//! In: whether each figure of a table was counted. Out: a mark, and what must be said of it.
//!
//! **Never:** what a figure is of.

use super::words::is_figure;

/// What stands before it.
pub(super) const MARK: char = '≈';

/// Whether some figures of a table are counted and others are not, so that those must be marked.
pub(super) fn mixed(counted: impl Iterator<Item = bool>) -> bool {
    let (mut any, mut all) = (false, true);
    counted.for_each(|one| (any, all) = (any || one, all && one));
    any && !all
}

/// A text, with the mark if it is a figure that needs it.
pub(super) fn marked(text: String, needs: bool) -> String {
    if needs && is_figure(&text) { format!("{MARK}{text}") } else { text }
}

/// What is said below a table that has marks; nothing below others.
pub(super) fn below(marks: bool) -> String {
    if marks {
        format!("\nA figure behind {MARK} was counted in trials; the others are exact.\n")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_table_of_both_kinds_has_marks() {
        let found = [&[][..], &[true, true], &[false, false], &[false, true]]
            .map(|counted: &[bool]| mixed(counted.iter().copied()));
        assert_eq!(found, [false, false, false, true]);
        assert_eq!(below(false), "");
    }

    #[test]
    fn figures_are_marked_and_words_are_not() {
        let marked = |text: &str| marked(text.to_owned(), true);
        assert_eq!(
            ["8.3", "<0.1", "+1.00", "none", "the same rules", ""].map(marked),
            ["≈8.3", "≈<0.1", "≈+1.00", "none", "the same rules", ""]
        );
    }
}
