//! A smaller text that is still at fault.

use crate::table::Files;

/// Takes out lines and blocks, and puts numbers for brackets, as long as `fails` holds.
pub(crate) fn shrunk(files: &Files, fails: impl Fn(&Files) -> bool) -> Files {
    let mut best = files.clone();
    loop {
        let before = best.clone();
        for file in 0..best.len() {
            let mut at = 0;
            while at < best[file].1.len() {
                let tries = smaller(&best[file].1, at);
                let found = tries.into_iter().find_map(|text| {
                    let mut files = best.clone();
                    files[file].1 = text;
                    fails(&files).then_some(files)
                });
                match found {
                    Some(files) => best = files,
                    None => at += 1,
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Texts without what begins at a byte.
fn smaller(text: &str, at: usize) -> Vec<String> {
    let (before, rest) = text.split_at(at);
    let mut texts = Vec::new();
    if before.is_empty() || before.ends_with('\n') {
        texts.extend(block_end(rest).map(|end| format!("{before}{}", &rest[end..])));
        let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
        texts.push(format!("{before}{}", &rest[line..]));
        if let (Some(end), true) = (block_end(rest), rest.starts_with("    ")) {
            // what is in the block, without its first and last line
            let inside = rest[line..end].trim_end().trim_end_matches('}');
            texts.push(format!("{before}{inside}\n{}", &rest[end..]));
        }
    }
    if rest.starts_with('(')
        && let Some(end) = bracket_end(rest)
    {
        let (inside, behind) = (&rest[1..end - 1], &rest[end..]);
        let simple = ["1", "2", "0", "yes", "no", "foot"].map(|value| format!("{before}{value}{behind}"));
        texts.extend(simple);
        texts.extend(["d2", "d3"].map(|value| format!("{before}{value}{behind}")));
        texts.push(format!("{before}{inside}{behind}"));
        for word in [" if ", " else ", " + ", " and ", " or "] {
            if let Some((first, second)) = inside.split_once(word) {
                texts.push(format!("{before}({first}){behind}"));
                texts.push(format!("{before}({second}){behind}"));
            }
        }
    }
    texts.retain(|smaller| smaller.len() < text.len());
    texts
}

/// Where the block that begins with this line ends.
fn block_end(text: &str) -> Option<usize> {
    let line = text.find('\n')?;
    if !text[..line].ends_with('{') {
        return None;
    }
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(text[at..].find('\n').map_or(text.len(), |end| at + end + 1));
                }
            }
            _ => {}
        }
    }
    None
}

fn bracket_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            '\n' => return None,
            _ => 0,
        };
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
