//! Whether the simulator agrees with arithmetic, in words.
//!
//! In: the question and how counts and exact answers agree. Out: a sentence for a run, a page for who asks for no more.
//!
//! **Never:** deciding whether they do.

use super::terminal::{INDENT, wrapped};
use super::unsolved::{interpreted, unsolved};
use super::words::{counted, is_flag, place, result_label, situations, thousands, trials, upper_first};
use crate::analyse::{ALARM, Agreement, Analysis, Compared, Deviation, LEVEL, normal_quantile};
use crate::plan::Probability;
use crate::scenario::{Results, Scenario};

/// How many disagreements are shown.
const SHOWN: usize = 20;

/// What is said where they do not agree.
const FAULT: &str = "This is a fault in houserule itself, not in your files: please report it together with the files and the command you used.";

/// How many plans were solved, the largest gap, and whether both agree; nothing where nobody asked.
pub(super) fn in_short(scenario: &Scenario, analysis: &Analysis) -> Option<String> {
    let found = analysis.agreement.as_ref()?;
    let compared = counted(found.comparisons, "count", "counts");
    let (plans, solved) = (thousands(found.plans as u64), thousands(found.solved as u64));
    Some(match (found.solved, found.beyond.len()) {
        (0, _) => format!("None of {plans} plans was solved exactly."),
        (_, 0) => format!(
            "{solved} of {plans} plans were solved exactly, and the simulator agrees with them: {compared} compared{}.",
            worst(scenario, found)
        ),
        (_, beyond) => format!(
            "{solved} of {plans} plans were solved exactly, and the simulator does not agree with them in {} of {compared}. {FAULT}",
            thousands(beyond as u64)
        ),
    })
}

/// ` (the largest gap ...: Break in modified: infantry)`
fn worst(scenario: &Scenario, found: &Agreement) -> String {
    let gap = |worst| {
        let (size, normal) = (gap(worst)?, normal(found));
        Some(format!(" (the largest gap is {size}; {normal}: {})", at(scenario, worst)))
    };
    found.worst.as_ref().and_then(gap).unwrap_or_default()
}

/// How far a count is from what is known, in words; `None` where nothing is left to chance.
fn gap(one: &Deviation) -> Option<String> {
    one.z.map(|z| format!("{:.1} times what chance usually makes", z.abs()))
}

/// How large the largest of so many gaps may be without anything being wrong: larger ones come up in 1 of 20 runs at most.
fn normal(found: &Agreement) -> String {
    let largest = normal_quantile(1.0 - (1.0 - LEVEL) / found.comparisons.max(1) as f64);
    format!("up to {largest:.1} times is to be expected among {}", thousands(found.comparisons as u64))
}

/// All that is to be said of a verification.
pub fn page(scenario: &Scenario, analysis: &Analysis) -> String {
    let none = Agreement::default();
    let found = analysis.agreement.as_ref().unwrap_or(&none);
    let mut lines = wrapped(&scenario.title);
    lines.push(String::new());
    let mut say = |text: String| lines.extend(wrapped(&text));
    say(format!(
        "Solved exactly: {} of {}; variants and situations that play alike are one plan.",
        thousands(found.solved as u64),
        counted(found.plans, "plan", "plans"),
    ));
    say(format!(
        "Compared: {} with {} trials of each plan (seed {}).",
        counted(found.comparisons, "probability", "probabilities"),
        trials(analysis),
        scenario.seed
    ));
    interpreted(scenario, analysis).into_iter().for_each(&mut say);
    if let Some(worst) = &found.worst {
        say(format!("Largest gap between dice and arithmetic: {}.", deviation(scenario, worst)));
        say(format!("{}.", upper_first(&normal(found))));
    }
    say(verdict(found));
    lines.extend(
        found
            .beyond
            .iter()
            .take(SHOWN)
            .flat_map(|one| wrapped(&format!("{INDENT}{}", deviation(scenario, one)))),
    );
    if found.beyond.len() > SHOWN {
        lines.push(format!("{INDENT}... and {} more", thousands((found.beyond.len() - SHOWN) as u64)));
    }
    if !found.beyond.is_empty() {
        lines.extend(wrapped(FAULT));
    }
    let cell = |variant: usize, situation: usize| &analysis.cells[variant][situation];
    for missing in unsolved(scenario, |v, s| cell(v, s).sample.id, |v, s| cell(v, s).answer.as_ref().err()) {
        lines.push(String::new());
        lines.extend(missing.lines());
    }
    lines.join("\n") + "\n"
}

/// Whether they agree, and how sure that is.
fn verdict(found: &Agreement) -> String {
    let rate = thousands((1.0 / ALARM) as u64);
    let sure =
        format!("Where both are right, chance raises such an alarm in fewer than 1 of {rate} verifications.");
    match (found.comparisons, found.beyond.len()) {
        (0, _) => "Nothing was compared.".to_owned(),
        (_, 0) => format!("The simulator agrees with arithmetic. {sure}"),
        (all, beyond) => format!(
            "The simulator does not agree with arithmetic in {} of {}. {sure}",
            thousands(beyond as u64),
            counted(all, "comparison", "comparisons")
        ),
    }
}

/// `Break in modified: infantry: 83,333 of 1,000,000 trials, exactly 1/12 (2.9 times what chance usually makes)`
fn deviation(scenario: &Scenario, one: &Deviation) -> String {
    let gap = gap(one).map_or_else(String::new, |gap| format!(" ({gap})"));
    let [count, trials] = [one.count, one.trials].map(thousands);
    format!("{}: {count} of {trials} trials, {}{gap}", at(scenario, one), exactly(&one.exact))
}

fn exactly(figure: &Probability) -> String {
    let text = figure.to_string();
    format!("{} {text}", if text.contains('.') { "nearly" } else { "exactly" })
}

/// `Break in modified: infantry, shooting`
fn at(scenario: &Scenario, one: &Deviation) -> String {
    let place = place(scenario, &situations(scenario), one.place);
    format!("{} in {place}", what(scenario, &one.compared))
}

fn what(scenario: &Scenario, compared: &Compared) -> String {
    let value = |at: usize, key: i64| {
        let measure = &scenario.measures[at];
        let label = result_label(measure, key);
        let named = matches!(&measure.results, Results::Named(named) if !is_flag(named));
        if named && !measure.is_record() { label } else { format!("{} {label}", measure.label) }
    };
    match compared {
        Compared::Value(measure, key) => value(*measure, *key),
        Compared::Present(measure) => format!("\"{} is recorded\"", scenario.measures[*measure].label),
        Compared::Unresolved => "unresolved".to_owned(),
        Compared::Together(values) => {
            let one = |(at, key): (&usize, &Option<i64>)| {
                key.map_or_else(|| format!("{} none", scenario.measures[*at].label), |key| value(*at, key))
            };
            scenario.joint.iter().zip(values).map(one).collect::<Vec<_>>().join(" with ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Place;
    use crate::report::tests as example;

    /// The example, of which 90,000 of 900,000 trials break where a twelfth should.
    fn wrong() -> (Scenario, Analysis) {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let off = Deviation {
            place: Place::Cell(1, 0),
            compared: Compared::Value(0, 4),
            count: 90_000,
            trials: 900_000,
            exact: Probability::fraction(1, 12),
            z: Some(57.2),
        };
        let (worst, beyond) = (Some(off.clone()), vec![off]);
        analysis.agreement = Some(Agreement { plans: 80, solved: 80, comparisons: 400, worst, beyond });
        (scenario, analysis)
    }

    #[test]
    fn a_disagreement_is_called_a_fault_of_houserule_with_its_place() {
        let (scenario, analysis) = wrong();
        let sentence = in_short(&scenario, &analysis).unwrap();
        let begins = "80 of 80 plans were solved exactly, and the simulator does not agree with them in 1 of 400 counts. This is a fault in houserule itself";
        assert!(sentence.starts_with(begins), "{sentence}");
        let page = page(&scenario, &analysis).split_whitespace().collect::<Vec<_>>().join(" ");
        for text in [
            "The simulator does not agree with arithmetic in 1 of 400 comparisons.",
            "Largest gap between dice and arithmetic: Break in modified: infantry, shooting, excess casualties 0: 90,000 of 900,000 trials, exactly 1/12 (57.2 times what chance usually makes).",
            // 0.05 / 400 is the probability beyond 3.836 standard deviations to either side, by a table of the normal curve
            " Up to 3.8 times is to be expected among 400.",
            "please report it together with the files",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
    }

    #[test]
    fn an_agreement_tells_the_worst_place_and_nothing_more() {
        let (scenario, mut analysis) = wrong();
        if let Some(found) = &mut analysis.agreement {
            found.beyond.clear();
        }
        assert_eq!(
            in_short(&scenario, &analysis).unwrap(),
            "80 of 80 plans were solved exactly, and the simulator agrees with them: 400 counts compared (the largest gap is 57.2 times what chance usually makes; up to 3.8 times is to be expected among 400: Break in modified: infantry, shooting, excess casualties 0)."
        );
        analysis.agreement = None;
        assert_eq!(in_short(&scenario, &analysis), None);
    }
}
