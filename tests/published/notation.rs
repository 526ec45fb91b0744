//! Reads what the `#!` comments of a file expect. The notation is described in `main.rs`.

/// One number that must come out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Check {
    /// The file and the line.
    pub(crate) place: String,
    /// Whether it is about best play, which is to be found out.
    pub(crate) best: bool,
    /// Whether all ways that the dice can fall are to be played.
    pub(crate) exact: bool,
    /// A scenario that plays the test in the one situation.
    pub(crate) scenario: String,
    /// `P(...)` or `mean(...)`, of one thing.
    pub(crate) quantity: String,
    /// The number as it is written.
    pub(crate) value: String,
}

/// What holds for the lines that follow.
#[derive(Default)]
struct Heading {
    test: String,
    policies: Vec<(String, String)>,
    /// The aims that the policies are best for, as long as these are the first behind them.
    aims: Vec<(String, String)>,
    exact: bool,
}

/// All numbers that a file expects.
pub(crate) fn checks(file: &str, text: &str) -> Vec<Check> {
    let mut heading = Heading::default();
    let (mut checks, mut best) = (Vec::new(), Vec::new());
    for (number, line) in joined(text) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "source" | "#" => {}
            "aim" => {
                let (choice, aim) = rest.split_once(" = ").expect("a choice and an aim");
                heading.aims.push((choice.to_owned(), aim.to_owned()));
            }
            "exact" | "sampled" => heading.exact = word == "exact",
            "test" => heading = Heading { test: rest.to_owned(), exact: heading.exact, ..Heading::default() },
            "policy" => {
                let (choice, policy) = rest.split_once(" = ").expect("a choice and its policy");
                let before = heading.policies.len();
                heading.policies.retain(|(known, _)| known != choice);
                if heading.policies.len() < before {
                    heading.aims.clear(); // this is not the policy that is best
                }
                heading.policies.push((choice.to_owned(), policy.to_owned()));
            }
            _ => {
                checks.extend(numbers(file, number, &line, &heading, false));
                if !heading.aims.is_empty() {
                    best.extend(numbers(file, number, &line, &heading, true));
                }
            }
        }
    }
    checks.extend(best);
    checks
}

/// The `#!` lines with their numbers; one that ends in a comma or `=` goes on in the next.
fn joined(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let Some(line) = line.strip_prefix("#! ") else { continue };
        match lines.last_mut() {
            Some((_, last)) if last.ends_with([',', '=']) => *last += &format!(" {}", line.trim()),
            _ => lines.push((at + 1, line.trim().to_owned())),
        }
    }
    lines
}

/// The numbers of one line: for each situation, one for each quantity.
fn numbers(file: &str, number: usize, line: &str, heading: &Heading, best: bool) -> Vec<Check> {
    let place = format!("{file}:{number}");
    let start = ["P(", "mean("].iter().filter_map(|word| line.find(word)).min();
    let (situation, rest) = line.split_at(start.unwrap_or_else(|| panic!("{place}: neither P nor mean")));
    let (quantity, values) = rest.rsplit_once(") = ").unwrap_or_else(|| panic!("{place}: no value"));
    let situations = situations(situation.trim_end_matches(": "));
    let (word, things) = quantity.split_once('(').expect("an opening bracket");
    let things = listed(things);
    let values: Vec<&str> = values.split(", ").collect();
    assert_eq!(values.len(), situations.len() * things.len(), "{place}: how many values there are");
    let asked = situations.iter().flat_map(|one| things.iter().map(move |thing| (one, thing)));
    let check = |((situation, thing), value): ((&String, &String), &str)| Check {
        place: place.clone(),
        best,
        exact: heading.exact,
        scenario: scenario(file, heading, situation, best),
        quantity: format!("{word}({thing})"),
        value: value.to_owned(),
    };
    asked.zip(values).map(check).collect()
}

/// Each combination of the values that a line lists, as lines of a grid; the last factor fastest.
fn situations(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for setting in listed(text) {
        let (factor, values) = setting.split_once(" = ").expect("a factor and its value");
        let add = |before: &String| -> Vec<String> {
            each(values).iter().map(|value| format!("{before}\"{factor}\" = {value}\n")).collect()
        };
        all = all.iter().flat_map(add).collect();
    }
    all
}

/// The values of `4`, `2..10`, `{4, 6}`, `yes` or `infantry`, as a scenario writes them.
fn each(values: &str) -> Vec<String> {
    if let Some(list) = values.strip_prefix('{') {
        return listed(list.trim_end_matches('}')).iter().flat_map(|value| each(value)).collect();
    }
    if let Some((low, high)) = values.split_once("..") {
        let end = |end: &str| -> i32 { end.parse().expect("a number") };
        return (end(low)..=end(high)).map(|value| value.to_string()).collect();
    }
    vec![match values {
        "yes" => "true".to_owned(),
        "no" => "false".to_owned(),
        number if number.parse::<i32>().is_ok() => number.to_owned(),
        name => format!("\"{name}\""),
    }]
}

/// The parts between commas that stand in no braces.
fn listed(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut inside = false;
    for part in text.split(", ").filter(|part| !part.is_empty()) {
        match parts.last_mut() {
            Some(last) if inside => *last += &format!(", {part}"),
            _ => parts.push(part.to_owned()),
        }
        inside = (inside || part.contains('{')) && !part.contains('}');
    }
    parts
}

fn scenario(file: &str, heading: &Heading, situation: &str, best: bool) -> String {
    let policies = if best { &heading.aims } else { &heading.policies };
    let policies: String =
        policies.iter().map(|(choice, policy)| format!("\"{choice}\" = {policy}\n")).collect();
    format!(
        "title = \"{file}\"\ntest = \"{}\"\ntrials = 1\nseed = 1\nbaseline = \"it\"\n\
         [variants]\nit = \"{file}\"\n[grid]\n{situation}[policy]\n{policies}",
        heading.test
    )
}

#[test]
fn a_line_is_one_number_for_each_situation_and_quantity() {
    let text = "ruleset \"r\"\n#! test t\n#! exact\n#! policy c = \"< 4\"\n\
                #! n = 2..3, arm = {foot, horse}: P(a, x is 1 and y is ..2) =\n#!   1, 2, 3, 4,\n#! 5, 6, 7, 8\n";
    let found = checks("f.rules", text);
    let read: Vec<(&str, &str)> =
        found.iter().map(|check| (check.quantity.as_str(), check.value.as_str())).collect();
    assert_eq!(read[..3], [("P(a)", "1"), ("P(x is 1 and y is ..2)", "2"), ("P(a)", "3")]);
    assert_eq!((read.len(), found[0].place.as_str()), (8, "f.rules:5"));
    let grids =
        ["\"n\" = 2\n\"arm\" = \"foot\"", "\"n\" = 2\n\"arm\" = \"horse\"", "\"n\" = 3\n\"arm\" = \"foot\""];
    for (at, grid) in grids.into_iter().enumerate() {
        let scenario = &found[2 * at].scenario;
        assert!(scenario.contains(grid) && scenario.ends_with("[policy]\n\"c\" = \"< 4\"\n"), "{scenario}");
    }
}
