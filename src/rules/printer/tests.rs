//! What is printed parses to the same tree.

use crate::diagnostic::{Diagnostics, Sources};
use crate::rules::{format, parser::parse_file};

/// The tree of a text as it is shown for debugging, without places.
fn tree(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.rules", text);
    let mut found = Diagnostics::default();
    let tree = parse_file(file, &sources, &mut found).unwrap();
    assert!(found.is_empty(), "{found:?}");
    let shown = format!("{tree:?}");
    let mut bare = String::new();
    let mut parts = shown.split('@');
    bare.push_str(parts.next().unwrap());
    for part in parts {
        bare.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == '.'));
    }
    bare
}

fn printed(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("test.rules", text);
    format(file, &sources).unwrap()
}

fn is_kept(text: &str) {
    let once = printed(text);
    assert_eq!(tree(&once), tree(text), "{once}");
    assert_eq!(printed(&once), once, "printing twice is printing once");
}

const EVERYTHING: &str = r#"ruleset "All"   # name
source "book"
note "a reading"

# a comment of its own


kind arm { foot "Foot" ; horse }
outcome result { good "Good"
  fair = even "Even"
  bad }
factor a : arm = foot "the arm"
factor n : -2 .. 6=0
factor size: 1|2 |4 = 2
factor tired:flag=no   "tired"  # behind
never a is horse and n > 3 "cannot be"
modifiers m { -1 per n if tired or a is horse "n"
   +(n+2)    "plus"   # why
   # last
}
chart c(score,a) -> result { score|foot|horse
 10+ | good | fair or even
 ..9 , 4 | bad if tired else good|bad }
chart t(n) -> number {
 n | result
 > 0 | 4+
 any | 3 }
test help(x, flag_: flag) -> number { return max(x, 2) + up(x / 2) if flag_ else -x * (3 - x) - 1 }
test main -> result {
    let roll = 2d6 + m   # the roll
    if roll is {2, 7..9, >= 11} { return bad } else if not tired and roll is not 4 { return fair
    } else {
        # inside
        let y = help(roll, yes) with n = 3, tired = no
        if y < 3 { return c(y, a) }
    }

    return result.good
}
# end
"#;

#[test]
fn every_construct_is_kept() {
    is_kept(EVERYTHING);
}

#[test]
fn no_comment_is_lost_and_none_is_printed_twice() {
    let printed = printed(EVERYTHING);
    for comment in EVERYTHING.lines().filter_map(|line| line.split_once('#')).map(|(_, comment)| comment) {
        assert_eq!(printed.matches(comment.trim()).count(), 1, "{comment}: {printed}");
    }
}

#[test]
fn charts_are_lined_up() {
    let text = "ruleset \"r\"\nchart c(n) -> number {\nn | result\n10+ | 1\n..9 | 22\n}\n";
    let wanted = "ruleset \"r\"\nchart c(n) -> number {\n    n   | result\n    10+ | 1\n    ..9 | 22\n}\n";
    assert_eq!(printed(text), wanted);
}

#[test]
fn the_shipped_rules_are_kept_and_laid_out_already() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut seen = 0;
    for system in std::fs::read_dir(folder).unwrap().flatten() {
        for file in std::fs::read_dir(system.path()).unwrap().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|ending| ending == "rules") {
                let text = std::fs::read_to_string(&file).unwrap();
                is_kept(&text);
                assert_eq!(printed(&text), text, "{}", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 2);
}
