//! `summary.md`: what a person would write after reading the tables.
//!
//! In: the question and what the counts say. Out: Markdown, in which every figure can be found in, or read off, the
//! tables.
//!
//! **Never:** deciding a claim, computing a statistic.

mod claims;
mod drafts;
mod expects;
mod figures;
mod flows;
mod order;
mod records;

pub(super) use claims::word;
pub(super) use expects::in_words as expectation;

use super::agreement::in_short;
use super::figures::no_chart;
use super::markdown::{escape, escaped, table};
use super::unsolved::interpreted;
use super::words::{UNSAID, counted, flags_vary, list, percent_of, thousands, trials};
use crate::analyse::{Analysis, Finding, LEVEL, Place, Precision, Solved, Verdict};
use crate::scenario::{Quantity, Scenario};

/// How many rows a table of the summary has at most.
const ROWS: usize = 40;

/// What the summary says, part by part, in Markdown under a heading of its own; empty where there is nothing to say.
pub(super) struct Parts {
    /// The first paragraph, without a heading.
    pub(super) opening: String,
    /// What differs most.
    pub(super) differences: String,
    /// Whether drafts are ever worse.
    pub(super) orders: String,
    /// What the same dice give.
    pub(super) flows: String,
    /// What is claimed.
    pub(super) claims: String,
    /// What is expected.
    pub(super) expects: String,
    /// What was played.
    pub(super) drafts: String,
    /// What the figures mean.
    pub(super) reading: String,
}

/// The parts that are not tables of their own.
pub(super) fn parts(scenario: &Scenario, analysis: &Analysis) -> Parts {
    let scenario = &escaped(scenario);
    parts_of(scenario, analysis, &super::words::situations(scenario))
}

/// The same of a question that is escaped; `names` are those of its situations.
fn parts_of(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> Parts {
    Parts {
        opening: opening(scenario, analysis),
        differences: figures::in_short(scenario, analysis, names),
        orders: order::orders(scenario, analysis, names),
        flows: flows::flows(scenario, analysis, names),
        claims: claims::claims(scenario, analysis, names),
        expects: expects::expects(scenario, analysis, names),
        drafts: drafts::drafts(scenario),
        reading: reading(scenario, analysis),
    }
}

/// The whole summary, in Markdown.
pub fn summary(scenario: &Scenario, analysis: &Analysis) -> String {
    let scenario = &escaped(scenario);
    let names = super::words::situations(scenario);
    let said = parts_of(scenario, analysis, &names);
    let parts = [
        format!("# {}\n\n{}\n", scenario.title, said.opening),
        said.differences,
        said.orders,
        said.flows,
        said.claims,
        said.expects,
        figures::situations(scenario, analysis, &names),
        records::records(scenario, analysis, &names),
        said.drafts,
        said.reading,
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Pictures, to be seen where the summary is read: each file with what there is to see.
pub(super) fn pictures<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let picture = |(file, alt): (&str, &str)| {
        let mut alt = alt.replace(['[', ']'], "");
        escape(&mut alt);
        format!("\n![{alt}]({file})\n")
    };
    let pictures: String = files.map(picture).collect();
    if pictures.is_empty() { pictures } else { format!("\n## Charts\n{pictures}") }
}

/// Whether each claim holds, a line each; `all` says where to find the situations that have no room.
pub(super) fn claims_in_short(scenario: &Scenario, verdicts: &[Verdict], all: &str) -> Vec<String> {
    claims::in_short(scenario, verdicts, &super::words::situations(scenario), all)
}

/// Whether drafts are ever worse, and what the same dice give, a line each.
pub(super) fn related_in_short(scenario: &Scenario, analysis: &Analysis, names: &[String]) -> Vec<String> {
    let mut lines = order::in_short(scenario, analysis);
    lines.extend(flows::in_short(scenario, analysis, names));
    lines
}

/// How many expected values are met, and each that is not, a line each.
pub(super) fn expects_in_short(scenario: &Scenario, found: &[Finding]) -> Vec<String> {
    expects::in_short(scenario, &found.iter().map(|found| Ok(Some(found))).collect::<Vec<_>>())
}

/// The same where not all are decided.
pub(super) fn expects_decided(scenario: &Scenario, solved: &Solved) -> Vec<String> {
    let found: Vec<_> = solved.expects.iter().map(|found| found.as_ref().map(Option::as_ref)).collect();
    expects::in_short(scenario, &found)
}

/// The first paragraph: what was compared with what, where and how often.
pub(super) fn opening(scenario: &Scenario, analysis: &Analysis) -> String {
    let bold = |variant: usize| format!("**{}**", scenario.variants[variant].name);
    let others: Vec<String> =
        (0..scenario.variants.len()).filter(|one| *one != analysis.baseline).map(bold).collect();
    let baseline = bold(analysis.baseline);
    let unsaid = if flags_vary(scenario) { format!(" {UNSAID}") } else { String::new() };
    let subject = match others.as_slice() {
        [] => format!("{baseline} was played"),
        [one] => format!("{one} was compared with {baseline}"),
        _ => format!("{} were compared with {baseline}", list(&others)),
    };
    format!(
        "{subject} in {}, with {} trials of `{}` for each variant and situation (seed {}).{unsaid}",
        counted(scenario.situations.len(), "situation", "situations"),
        trials(analysis),
        scenario.test,
        scenario.seed,
    )
}

/// The last part: remarks of the run, and what the figures mean.
fn reading(scenario: &Scenario, analysis: &Analysis) -> String {
    let level = percent_of(analysis.level);
    let mut lines: Vec<String> = scenario.notes.iter().map(|note| format!("- {note}")).collect();
    let unresolved: u64 = analysis.cells.iter().flatten().map(|cell| cell.sample.unresolved).sum();
    if unresolved > 0 {
        lines.push(format!(
            "- {} reached the tool's patience before the test ended; they count as trials in which no result came up, and means, quantiles and records leave them out.",
            counted(usize::try_from(unresolved).unwrap_or(usize::MAX), "trial", "trials"),
        ));
    }
    if analysis.cells.iter().flatten().any(|cell| cell.answer.is_ok()) {
        let exact = "Where a situation is solved, chances and means are exact; what was played there is in `results.csv`.";
        lines.push(format!("- {exact}"));
    }
    lines.extend(no_chart(scenario).map(|line| format!("- {line}")));
    lines.extend(interpreted(scenario, analysis).map(|line| format!("- {line}")));
    let several = scenario.variants.len() > 1;
    let newcombe = if several { ", Newcombe for a difference" } else { "" };
    lines.push(format!(
        "- An interval (Wilson for a probability{newcombe}) holds with {level} % by itself; of many intervals some miss."
    ));
    lines.extend(looked(scenario, analysis).map(|line| format!("- {line}")));
    lines.extend(in_short(scenario, analysis).map(|line| format!("- {line}")));
    if !analysis.claims.is_empty() {
        lines.push(
            "- A claim is decided exactly where its situations are solved, else by as many trials as it takes: any claim of the run is decided wrongly with a probability of at most 1 in 1,000.".to_owned(),
        );
    }
    if several {
        lines.push(format!(
            "- \"Told apart\" means that chance hardly makes such a difference: one or more false alarms in the whole run have \
             a probability of at most {} % (`p_adjusted` in `comparison.csv`: Fisher's exact test, Holm over all comparisons). \
             Where both sides are solved, it means that they are not the same.",
            percent_of(1.0 - analysis.level)
        ));
    }
    format!("## How to read the figures\n\n{}\n", lines.join("\n"))
}

/// How a run was stopped by its precision, and where it was not reached.
pub(super) fn looked(scenario: &Scenario, analysis: &Analysis) -> impl Iterator<Item = String> {
    let said = |precision: &Precision| {
        let points = precision.asked * 100.0;
        let mut text = format!(
            "Each situation was played until no interval was wider than {points} percentage points on either side. \
             The run may look {} times whether that is so; with {} % at each look an interval holds with {} % whenever it stops.",
            precision.looks,
            percent_of(analysis.level),
            percent_of(LEVEL),
        );
        if !precision.wide.is_empty() {
            let places = counted(precision.wide.len(), "situation", "situations");
            text += &format!(
                " In {places} {} trials were not enough for that: {}.",
                thousands(scenario.most()),
                wide(scenario, &precision.wide)
            );
        }
        text
    };
    analysis.precision.as_ref().map(said).into_iter()
}

/// The widest of the intervals that are too wide, and where they are.
fn wide(scenario: &Scenario, wide: &[(Place, f64)]) -> String {
    const NAMED: usize = 6;
    let names = super::words::situations(scenario);
    let mut widest: Vec<&(Place, f64)> = wide.iter().collect();
    widest.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let one = |(place, half): &&(Place, f64)| {
        let place = super::words::place(scenario, &names, *place);
        format!("{place} ({:.2} points)", half * 100.0)
    };
    let named: Vec<String> = widest.iter().take(NAMED).map(one).collect();
    let more = widest.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {} more", thousands(more as u64)) } else { String::new() };
    named.join("; ") + &more
}

/// What is claimed or expected, as scenarios write it.
fn quantity(scenario: &Scenario, quantity: &Quantity) -> String {
    let name = |measure: &usize| &scenario.measures[*measure].name;
    match quantity {
        Quantity::Probability(set) => format!("P({})", set.text),
        Quantity::Mean(measure) => format!("mean({})", name(measure)),
        Quantity::Quantile(measure, level) => format!("quantile({}, {level})", name(measure)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests as example;
    use crate::scenario::{Expect, ResultSet, Results};

    /// The summary of the example, after `change`.
    fn after(change: impl FnOnce(&mut Scenario)) -> String {
        let mut scenario = example::scenario();
        change(&mut scenario);
        summary(&scenario, &example::analysis(&scenario))
    }

    /// Without what only lines columns up.
    fn squeezed(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let mut text = words.join(" ");
        while text.contains("----") {
            text = text.replace("----", "---");
        }
        text
    }

    #[track_caller]
    fn says(text: &str, sentence: &str) {
        assert!(squeezed(text).contains(sentence), "not there: {sentence}\n{text}");
    }

    #[test]
    fn it_opens_with_what_was_compared() {
        let text = after(|_| {});
        says(
            &text,
            "# Break tests: original against modified\n\n**modified** was compared with **original** in 40 situations, with 900,000 trials of `break_test` for each variant and situation (seed 1815). What a situation does not mention is not the case.\n",
        );
    }

    #[test]
    fn what_users_write_is_no_markdown() {
        let text = after(|scenario| {
            scenario.title = "<b>Horse</b> & *foot*".to_owned();
            scenario.factors[0].values[0].label = "[Foot](there)".to_owned();
            if let Results::Named(results) = &mut scenario.measures[0].results {
                results[4].label = "Break | `run`".to_owned();
            }
            scenario.claims[0].text = "1. foot < horse".to_owned();
            scenario.expects.clear();
        });
        says(&text, "# \\<b>Horse\\</b> & \\*foot\\*\n");
        says(&text, "for \\[Foot\\](there), shooting");
        says(&text, "- **Break | \\`run\\`**: less often");
        says(
            &text,
            "### 1. 1\\. foot < horse\n\n**Holds.** The claim `P(break) in modified < P(break) in original`",
        );
        let picture = pictures([("a.svg", "a *b* [c]")].into_iter());
        assert_eq!(picture, "\n## Charts\n\n![a \\*b\\* c](a.svg)\n");
    }

    #[test]
    fn the_largest_differences_are_told_in_points() {
        let text = after(|_| {});
        says(
            &text,
            "**modified** and **original** can be told apart in 20 of 40 situations; in 20 both play by the same rules.\n",
        );
        // 21 of 36 against 10 of 36 where three are taken off the roll
        says(
            &text,
            "- **Break**: less often in 20 situations, by up to 30.6 points: from 58.3 % to 27.8 % for infantry, hand-to-hand, excess casualties 2, disordered (difference -30.69 to -30.42).\n",
        );
    }

    #[test]
    fn a_claim_of_every_situation_holds_where_it_holds_in_all() {
        let text = after(|_| {});
        // out of 36: 15 against 21 where three are taken off the roll, 3 against 6 where nothing is
        says(
            &text,
            "### 1. Infantry breaks less often under fire\n\n**Holds.** The claim `P(break) in modified < P(break) in original` speaks of 10 situations and holds in all of them. Decided exactly. Most clearly: 41.7 % against 58.3 % (infantry, shooting, excess casualties 2, disordered); least clearly: 8.3 % against 16.7 % (infantry, shooting, excess casualties 0).\n",
        );
        says(&text, "| Infantry, shooting, excess casualties 0 | 8.3 | 16.7 | -8.3 | holds |\n");
    }

    #[test]
    fn a_claim_fails_where_it_fails_in_some_situations_and_these_stand_first() {
        let text = after(|_| {});
        // 20 % are seven of 36: by hand 3, 6 and 6 are fewer under fire, 1, 3, 3, 6 and 6 hand to hand
        says(
            &text,
            "**Fails.** The claim `P(break) in modified <= 20%` speaks of 20 situations; it holds in 8 and fails in 12.",
        );
        says(&text, "The 12 of 20 rows that speak least clearly for it; all are in `claims.csv`. ");
        let claim = text.split("### 2.").nth(1).unwrap().split("###").next().unwrap();
        assert_eq!(claim.matches("| **fails**").count(), 12, "{claim}");
    }

    #[test]
    fn a_claim_in_short_names_the_situations_where_it_fails() {
        let scenario = example::scenario();
        let short = claims_in_short(&scenario, &example::analysis(&scenario).claims, ", all in a file");
        assert_eq!(
            short[0],
            "Claim holds: Infantry breaks less often under fire: in 10 situations. Decided exactly."
        );
        assert!(short[1].starts_with("Claim fails: Infantry seldom breaks: in 12 of 20 situations: infantry, shooting, excess casualties 1, disordered (27.8 % against 20.0 %); "), "{}", short[1]);
        assert_eq!(
            short[2],
            "Claim holds: Fewer break on the whole: on average over 40 situations, 40.5 % against 50.0 %. Decided exactly."
        );
    }

    #[test]
    fn a_claim_of_the_average_gives_both_averages() {
        // by hand, over 40 situations: 720 and 583 of 1440
        says(
            &after(|_| {}),
            "speaks of the average over 40 situations, and holds there: 40.5 % against 50.0 %. Decided exactly.\n",
        );
        let text =
            after(|scenario| scenario.claims[2].margin = Some(crate::scenario::Margin::Points((10, 1))));
        says(
            &text,
            "**Fails.** The claim `P(break) in modified < P(break) in original` speaks of the average over 40 situations, and fails there: 40.5 % against 50.0 %. Decided exactly.",
        );
    }

    #[test]
    fn what_is_not_decided_says_why_and_what_would_help() {
        use crate::analyse::{Doubt, Judged, Ruling};
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let open = |doubt, trials| {
            move |one: &mut Judged| {
                (one.ruling, one.doubt, one.trials) = (Ruling::Undecided, Some(doubt), trials)
            }
        };
        let cells = &mut analysis.claims[0].cells;
        cells[..3].iter_mut().for_each(open(Doubt::Trials, 64_000));
        cells[3..4].iter_mut().for_each(open(Doubt::Boundless, 0));
        cells[4].trials = 1_000;
        analysis.claims[0].ruling = Ruling::Undecided;
        let text = summary(&scenario, &analysis);
        says(
            &text,
            "**Undecided.** The claim `P(break) in modified < P(break) in original` speaks of 10 situations; it holds in 6 and is undecided in 4. Decided exactly in 5, by up to 1,000 trials in 1.",
        );
        says(&text, "Undecided in 1: nobody can say how large this number may get");
        says(&text, "Undecided in 3: 64,000 trials are too few to tell.");
        says(&text, "| Infantry, shooting, excess casualties 0 | 8.3 | 16.7 | -8.3 | **undecided** |\n");
        let short = claims_in_short(&scenario, &analysis.claims, "");
        assert!(
            short[0].starts_with(
                "Claim is undecided: Infantry breaks less often under fire: in 4 of 10 situations: "
            ),
            "{}",
            short[0]
        );
    }

    #[test]
    fn a_run_to_a_precision_says_how_often_it_looked_and_where_it_was_not_reached() {
        let scenario = example::scenario();
        let mut analysis = example::analysis(&scenario);
        let wide = vec![(Place::Cell(1, 0), 0.002), (Place::Cell(0, 39), 0.0123)];
        analysis.precision = Some(Precision { asked: 0.001, looks: 11, wide });
        analysis.level = 0.995;
        let text = summary(&scenario, &analysis);
        says(
            &text,
            "- Each situation was played until no interval was wider than 0.1 percentage points on either side. The run may look 11 times whether that is so; with 99.5 % at each look an interval holds with 95 % whenever it stops. In 2 situations 57,600,000 trials were not enough for that: original: cavalry, hand-to-hand, excess casualties 4, disordered (1.23 points); modified: infantry, shooting, excess casualties 0 (0.20 points).\n",
        );
    }

    #[test]
    fn where_the_rules_are_the_same_a_strict_claim_fails() {
        let text = after(|scenario| scenario.claims[0].situations = vec![20, 21]);
        says(
            &text,
            "**Fails.** The claim `P(break) in modified < P(break) in original` speaks of 2 situations and fails in all of them.",
        );
        says(&text, "Both sides play by the same rules in 2 situations.");
        says(
            &text,
            "| Cavalry, shooting, excess casualties 0 | 16.7 | 16.7 | the same rules here | **fails** |\n",
        );
    }

    #[test]
    fn policies_notes_and_sources_are_printed() {
        let text = after(|_| {});
        says(
            &text,
            "- Where `break_chart` leaves the player *Hold, disordered* or *Retreat*: *Hold, disordered* with probability 3/4 and *Retreat* with probability 1/4.\n",
        );
        says(
            &text,
            "- Where `break_chart` leaves the player *Hold, disordered* or *Retreat*: `retreat if disordered else hold_disordered`.\n",
        );
        says(&text, "- In every situation: Steady: no.\n");
        says(
            &text,
            "- Source: Original chart, chart by enumeration\n- Note: Skirmishers test as their arm\n",
        );
        says(&text, "- `weather` does not appear in original: it is ignored there\n");
    }

    #[test]
    fn what_a_draft_takes_over_from_the_baseline_is_not_said_again() {
        let text = after(|scenario| {
            let mut rules = (*scenario.variants[0].rules).clone();
            rules.notes.push("Guns never run".to_owned());
            scenario.variants[1].rules = std::sync::Arc::new(rules);
        });
        says(
            &text,
            "- Sources and notes of **original** apply here too, as far as this draft leaves its rules alone.\n- Note: Guns never run\n",
        );
        assert_eq!(text.matches("Note: Skirmishers test as their arm").count(), 1, "{text}");
    }

    #[test]
    fn in_a_large_grid_situations_that_play_alike_share_a_row() {
        // all forty situations twice over, then with other rules left to play in each of the second forty
        let mut scenario = example::scenario();
        scenario.situations.extend(scenario.situations.clone());
        scenario.claims[0].situations = (0..10).chain(40..50).chain([0]).collect();
        let mut analysis = example::analysis(&scenario);
        for row in &mut analysis.cells {
            for situation in 0..40 {
                row[situation + 40] = row[situation].clone();
            }
        }
        let text = summary(&scenario, &analysis);
        let part = text.split("## Probability of *Break*").nth(1).unwrap().split("##").next().unwrap();
        assert_eq!(part.matches(" (and 1 alike) ").count(), 40, "{part}");
        let claim = text.split("### 1.").nth(1).unwrap().split("###").next().unwrap();
        assert_eq!(claim.matches("| Infantry").count(), 10, "{claim}");
        says(
            claim,
            "| Infantry, shooting, excess casualties 0 (and 2 alike) | 8.3 | 16.7 | -8.3 | holds |\n",
        );
    }

    #[test]
    fn a_larger_grid_shows_the_situations_that_differ_most() {
        let text = after(|scenario| scenario.situations.extend(scenario.situations.clone()));
        let part = text.split("## Probability of *Break*").nth(1).unwrap().split("##").next().unwrap();
        says(part, "The 10 of 80 rows in which it differs most. ");
        assert_eq!(part.matches("| Infantry").count(), 10, "{part}");
        says(
            part,
            "\n\n| Situation | original | modified | modified differs by |\n| --- | ---: | ---: | ---: |\n| Infantry, hand-to-hand, excess casualties 2, disordered | 58.3 | 27.8 | -30.6 |\n",
        );
    }

    #[test]
    fn one_variant_alone_has_figures_and_no_differences() {
        let text = after(|scenario| {
            scenario.variants.truncate(1);
            scenario.claims.clear();
        });
        says(&text, "**original** was played in 40 situations");
        says(&text, "| Situation | original |\n");
        assert!(!text.contains("differ") && !text.contains("baseline") && !text.contains("claim"), "{text}");
    }

    #[test]
    fn numbers_are_compared_by_their_means() {
        let scenario = example::numbers();
        let text = summary(&scenario, &example::analysis(&scenario));
        says(&text, "## Mean result\n");
        says(&text, "| Infantry, shooting, excess casualties 1, disordered | 5.00 | 6.00 | +1.00 |\n");
        says(
            &text,
            "The claim `mean(result) in modified > 7` speaks of 3 situations; it holds in 1 and fails in 2. Decided exactly. Most clearly: 8.00 against 7.00 (",
        );
    }

    #[test]
    fn what_is_recorded_is_told_in_one_table() {
        let (scenario, analysis) = example::recorded();
        let text = summary(&scenario, &analysis);
        // 12 of 40 trials record whether they rout, 3 of these do
        says(
            &text,
            "| Situation | Variant | Men lost | Routed, % |\n| --- | --- | ---: | ---: |\n| Not disordered | original | 0.50 | 25.0 (30.0 %) |\n",
        );
        assert!(!after(|_| {}).contains("recorded"));
    }

    #[test]
    fn expected_values_are_met_or_missed() {
        let (mut scenario, mut analysis) = example::recorded();
        let expect = |situation: usize, limit: bool| Expect {
            variant: 1,
            situation: vec![situation as i32, 0],
            place: format!("disordered {situation}"),
            quantity: Quantity::Mean(1),
            value: "3/4".to_owned(),
            fraction: (3, 4),
            source: "by hand".to_owned(),
            limit,
            span: crate::rules::Span::default(),
        };
        let share =
            Quantity::Probability(ResultSet { measure: 0, text: "break".to_owned(), spans: vec![(4, 4)] });
        scenario.expects = vec![expect(1, false), Expect { quantity: share, ..expect(7, true) }];
        let mean =
            Finding { figure: Some(0.5), exact: None, interval: Some((0.25, 0.75)), open: 0.0, met: false };
        analysis.expects =
            vec![mean, Finding { figure: Some(0.25), exact: None, interval: None, open: 0.5, met: true }];
        let text = summary(&scenario, &analysis);
        says(&text, "Expected values that are met: 1 of 2. \"Missed\" means");
        says(
            &text,
            "| modified | Disordered | mean(men_lost) = 3/4 | 0.5000 (0.2500 to 0.7500) | **missed** | by hand |\n",
        );
        says(
            &text,
            "| modified | disordered 7 (not in the grid) | P(break) = 3/4 (limit) | 25.0 % to 75.0 % | met | by hand |\n",
        );
        assert_eq!(
            expects_in_short(&scenario, &analysis.expects),
            [
                "Expected values that are met: 1 of 2.",
                "Missed: mean(men_lost) = 3/4 in modified (disordered 1): found 0.5000 (0.2500 to 0.7500)."
            ]
        );
    }

    #[test]
    fn a_bar_in_a_label_does_not_break_a_table() {
        let text = after(|scenario| scenario.factors[0].values[0].label = "In|fantry".to_owned());
        says(&text, "| In\\|fantry, shooting,");
    }
}
