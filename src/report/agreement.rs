//! Whether the simulator agrees with arithmetic, in words.
//!
//! In: the question and how counts and exact answers agree. Out: a sentence for a run, a page for who asks for no more.
//!
//! **Never:** deciding whether they do.

use super::terminal::{INDENT, wrapped};
use super::unsolved::{interpreted, unsolved};
use super::words::{counted, is_flag, place, result_label, situations, thousands, trials};
use crate::analyse::{ALARM, Agreement, Analysis, Compared, Deviation};
use crate::plan::Probability;
use crate::scenario::{Results, Scenario};

/// How many disagreements are shown.
const SHOWN: usize = 20;

/// What is said where they do not agree.
const FAULT: &str = "This is a fault in houserule itself, not in your files: please report it together with the files and the command you used.";

/// How many plans were solved, the worst z-score, and whether both agree; nothing where nobody asked.
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

/// ` (worst z-score -2.90: ...)`
fn worst(scenario: &Scenario, found: &Agreement) -> String {
    let z = found.worst.as_ref().and_then(|worst| Some((worst, worst.z?)));
    z.map_or_else(String::new, |(worst, z)| format!(" (worst z-score {z:.2}: {})", at(scenario, worst)))
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
        say(format!("Worst z-score: {}.", deviation(scenario, worst)));
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

/// `-2.90, Break in modified: infantry: 83,333 of 1,000,000 trials, exactly 1/12`
fn deviation(scenario: &Scenario, one: &Deviation) -> String {
    let z = one.z.map_or_else(String::new, |z| format!("{z:.2}, "));
    let [count, trials] = [one.count, one.trials].map(thousands);
    format!("{z}{}: {count} of {trials} trials, {}", at(scenario, one), exactly(&one.exact))
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
            " 57.20, Break in modified: infantry, shooting, excess casualties 0: 90,000 of 900,000 trials, exactly 1/12 ",
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
            "80 of 80 plans were solved exactly, and the simulator agrees with them: 400 counts compared (worst z-score 57.20: Break in modified: infantry, shooting, excess casualties 0)."
        );
        analysis.agreement = None;
        assert_eq!(in_short(&scenario, &analysis), None);
    }
}
