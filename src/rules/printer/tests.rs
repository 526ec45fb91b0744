//! What is printed parses to the same tree.

use crate::diagnostic::{Diagnostics, FileId, Sources, Span};
use crate::rules::{format, lexer::lex, parser::parse_file};
use std::path::{Path, PathBuf};

/// The tree of a text as it is shown for debugging, without places.
fn tree(text: &str) -> String {
    let (tree, comments) = parsed(text).unwrap();
    format!("{tree} {comments:?}")
}

/// The same without comments, and these; nothing for a text with a mistake.
fn parsed(text: &str) -> Option<(String, Vec<String>)> {
    let mut sources = Sources::default();
    let file = sources.add("test.rules", text);
    let mut found = Diagnostics::default();
    let mut tree = parse_file(file, &sources, &mut found).filter(|_| found.is_empty())?;
    let comments = std::mem::take(&mut tree.comments).into_iter().map(|comment| comment.text).collect();
    Some((without_places(&format!("{tree:?}")), comments))
}

fn without_places(shown: &str) -> String {
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
unit left ,right:n ,   tired
unit ours [ 3 ] , theirs[2] : n,
   arm   # two lines
die battle{foot,foot , -1
   , 2 }
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
test pools(x) -> number [ 2 ] {
    let roll = 2 d6 keep   4+; let more = x d( n+1 )   explode {5,6} at most x dice at most 2 times
    let some = (n + 1) battle drop {2} # of these
      + ours[x].n d6 drop lowest 2 keep highest
    let asked = (roll any 6 or roll all >= x or roll doubles or not roll alike (x)) and [1, x,3] rank 2 is 3
    let list = [ d10,d8 ,
        2d6 count ..2 ]
    let again = (roll reroll < 4 at most 3 dice) + (roll reroll 1) - roll explode 6 cap 40 + d(n) + 2d(n)
    let picked = roll reroll chosen as charge at most 2 dice keep chosen at least 1 dice lowest
    return [picked, up((list count battle.foot) / 2)]
}
test loops {
    var y=0 ; var lost = [no,
      no]
    y += 1; y-=2;lost[y] = yes; left.n += 1
    ours[y].tired = chance 1/3 or chance 35% # odds
    repeat 3 times { y = 1 }
    repeat until y > 3, at most n times { y += 1; if y is 2 { stop } }
    repeat until no,
       cap 100 { # around
        for i in 1 .. n { record sum += i ; stop }
        for u in ours { u.n = 0 ; other ; stop }
        for u in ours in chosen order { other for u with n = 3, tired=no }
        for u in theirs in chosen   order as first { loops for theirs[2] } # closing
    }
    y = choose used from 0..min(y, 2) ; let z = choose from ours
    let way = choose way { "go on" : 1 ; # further
       stay: (choose { low: y - 1; "yes": 2 })
       # the third
       back: pools for right }
    record way = 1 + (choose way { a: 1
      b: 2 })
    if y is 3 { return }
    return
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

/// `body` in a test of a small file that is laid out already.
fn small(body: &str) -> String {
    format!("ruleset \"r\"\n\nfactor n: 0..6\n\ntest t -> number {{  # opens {{\n{body}}}  # ends }}\n")
}

fn is_laid_out(body: &str) {
    let text = small(body);
    assert_eq!(printed(&text), text);
}

#[test]
fn a_comment_stays_behind_the_brace_it_stands_behind() {
    is_laid_out(
        "    if n > 3 {  # many\n        return 3\n    } else if n > 2 {  # some {\n        return 2\n    } else {  \
         # otherwise }\n        return 1\n    }  # end of all\n",
    );
    is_laid_out(
        "    if n > 3 {\n        return 3\n    }  # closed {\n    else {  # otherwise\n        # inside\n        \
         return 1\n    }\n",
    );
}

#[test]
fn a_comment_stays_behind_an_arm_of_one_line() {
    is_laid_out(
        "    if n > 3 { return 3 }  # many }\n    else if n > 2 { return 2 }  # some\n    else { return 1 }  # few\n",
    );
    is_laid_out("    if n > 3 { return 3 } else if n > 2 { return 2 }  # some\n    return 1\n");
}

#[test]
fn comments_and_empty_lines_between_two_arms_stay_there() {
    is_laid_out(
        "    if n > 3 { return 3 }\n    # about some\n    else if n > 2 { return 2 }  # some\n\n    # of the rest\n\n    \
         else { return 1 }\n",
    );
}

#[test]
fn a_comment_within_a_line_goes_above_it_and_the_one_behind_stays() {
    let wanted = small("    # half\n    let x = 1 + n  # all\n    return x\n");
    assert_eq!(printed(&small("    let x = 1  # half\n        + n  # all\n    return x\n")), wanted);
}

#[test]
fn a_comment_belongs_to_the_last_of_what_stands_before_it_on_its_line() {
    let wanted = small(
        "    let x = 1\n    let y = 2  # y\n    if n > 3 {\n        return y\n    }  # if\n    return x\n",
    );
    let text =
        small("    let x = 1; let y = 2  # y\n    if n > 3 {\n        return y }  # if\n    return x\n");
    assert_eq!(printed(&text), wanted);
}

/// The places behind the words of a text, where a comment can end the line.
fn gaps(text: &str) -> Vec<usize> {
    let place = Span::new(FileId(0), 0, text.len());
    let tokens = lex(text, place, &mut Diagnostics::default()).tokens;
    tokens.iter().map(|(_, span)| span.end as usize).collect()
}

/// The text with some comments more: wherever the dice put one and it leaves the tree as it is.
fn sprinkled(text: &str, next: &mut impl FnMut() -> usize) -> String {
    let (bare, mut text) = (parsed(text).unwrap().0, text.to_owned());
    for number in 0..12 {
        let (gaps, sign) = (gaps(&text), ["", " {", " }", " \"", " ;"][next() % 5]);
        let (before, after) = text.split_at(gaps[next() % gaps.len()]);
        let tried = format!("{before} # new {number}{sign}\n{after}");
        if parsed(&tried).is_some_and(|(tree, _)| tree == bare) {
            text = tried;
        }
    }
    text
}

#[test]
fn wherever_comments_stand_none_is_lost_and_the_layout_is_final() {
    let mut state = 1815_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut sprinkles = 0;
    for text in shipped().iter().map(|(_, text)| text.as_str()).chain([EVERYTHING]) {
        let before = parsed(text).unwrap().1.len();
        for _ in 0..60 {
            let text = sprinkled(text, &mut next);
            sprinkles += parsed(&text).unwrap().1.len() - before;
            is_kept(&text);
        }
    }
    assert!(sprinkles > 500, "{sprinkles}");
}

#[test]
fn charts_are_lined_up() {
    let text = "ruleset \"r\"\nchart c(n) -> number {\nn | result\n10+ | 1\n..9 | 22\n}\n";
    let wanted = "ruleset \"r\"\nchart c(n) -> number {\n    n   | result\n    10+ | 1\n    ..9 | 22\n}\n";
    assert_eq!(printed(text), wanted);
}

/// The rules files that come with the program, with their texts.
fn shipped() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let systems = std::fs::read_dir(folder).unwrap().flatten();
    let files = systems.flat_map(|system| std::fs::read_dir(system.path()).unwrap().flatten());
    let rules = files.map(|file| file.path()).filter(|file| file.extension().is_some_and(|it| it == "rules"));
    let mut rules: Vec<PathBuf> = rules.collect();
    rules.sort();
    assert!(rules.len() >= 2);
    rules.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_shipped_rules_are_kept_and_laid_out_already() {
    for (file, text) in shipped() {
        is_kept(&text);
        assert_eq!(printed(&text), text, "{}", file.display());
    }
}
