//! All that a run is judged by, in one list: claims, expected values, a golden table, the simulator itself, a precision.
//!
//! In: the question, what the counts say, and what has become of a stored run. Out: a [`Check`] each, from which exit
//! code, JUnit file, annotations and comment are made.
//!
//! **Never:** deciding anything.

use super::agreement;
use super::golden::{self, Drift, Drifted};
use super::summary::{claims_in_short, expectation, looked};
use super::words::{counted, thousands};
use crate::analyse::{Analysis, Ruling, Verdict};
use crate::rules::Span;
use crate::scenario::{Claim, Scenario};

/// How many variants and situations that have drifted are named.
const NAMED: usize = 100;

/// Something that holds or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What sort it is.
    pub sort: Sort,
    /// What is checked, in words; no two of one sort have the same.
    pub name: String,
    /// What came of it.
    pub ruling: Ruling,
    /// What was found, in words.
    pub text: String,
    /// Where the scenario asks for it.
    pub place: Option<Span>,
}

/// The sorts of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// What the author says the draft does.
    Claim,
    /// A known value.
    Expected,
    /// A stored run.
    Golden,
    /// The simulator against arithmetic.
    Simulator,
    /// How wide intervals are.
    Precision,
}

impl Sort {
    /// All of them, in the order of [`checks`].
    pub const ALL: [Self; 5] = [Self::Claim, Self::Expected, Self::Golden, Self::Simulator, Self::Precision];

    /// In words, for one.
    pub fn label(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Expected => "expected value",
            Self::Golden => "golden table",
            Self::Simulator => "simulator",
            Self::Precision => "precision",
        }
    }
}

/// All checks of a run, by sort.
pub fn checks(scenario: &Scenario, analysis: &Analysis, drift: Option<&Drift>) -> Vec<Check> {
    let expects = scenario.expects.iter().zip(&analysis.expects).enumerate();
    let expects = expects.map(|(at, (expect, found))| {
        let (name, text) = expectation(scenario, expect, found);
        check(Sort::Expected, format!("{}. {name}", at + 1), found.met, text, Some(expect.span))
    });
    let simulator = agreement::in_short(scenario, analysis).map(|text| {
        let agrees = analysis.agreement.as_ref().is_none_or(|found| found.beyond.is_empty());
        check(Sort::Simulator, "simulator and arithmetic agree".to_owned(), agrees, text, None)
    });
    let golden = drift.map(golden).into_iter().flatten();
    let claims = claims(scenario, analysis).into_iter();
    claims.chain(expects).chain(golden).chain(simulator).chain(precision(scenario, analysis)).collect()
}

fn check(sort: Sort, name: String, holds: bool, text: String, place: Option<Span>) -> Check {
    let ruling = if holds { Ruling::Holds } else { Ruling::Fails };
    Check { sort, name, ruling, text, place }
}

/// What the author says the draft does, each with its verdict.
fn claims(scenario: &Scenario, analysis: &Analysis) -> Vec<Check> {
    let texts = claims_in_short(scenario, &analysis.claims, ", which are in claims.csv");
    let all = scenario.claims.iter().zip(&analysis.claims).zip(texts).enumerate();
    let one = |(at, ((claim, found), text)): (usize, ((&Claim, &Verdict), String))| Check {
        sort: Sort::Claim,
        name: format!("{}. {}", at + 1, claim.text),
        ruling: found.ruling,
        text,
        place: Some(claim.span),
    };
    all.map(one).collect()
}

/// Whether figures are as precise as was asked; nothing where nobody asked.
fn precision(scenario: &Scenario, analysis: &Analysis) -> Option<Check> {
    let (asked, text) = (analysis.precision.as_ref()?, looked(scenario, analysis).next()?);
    let ruling = if asked.wide.is_empty() { Ruling::Holds } else { Ruling::Undecided };
    let name = "every interval is as narrow as was asked".to_owned();
    Some(Check { sort: Sort::Precision, name, ruling, text, place: None })
}

/// The stored run as a whole, then each variant and situation that has drifted, then what is gone.
fn golden(drift: &Drift) -> Vec<Check> {
    let one = |name: String, text: String| check(Sort::Golden, name, false, text, None);
    let text = golden::in_short(drift) + &drift.remarks().map(|text| format!(" {text}")).collect::<String>();
    let whole = format!("as stored in {}", drift.folder);
    let mut all = vec![check(Sort::Golden, whole, !drift.is_drift(), text, None)];
    let groups = groups(drift);
    let named = groups.iter().take(NAMED).map(|group| {
        let moved = group.iter().map(|one| format!("{}: {}", golden::outcome(&one.key), golden::moved(one)));
        let name = group.first().map(|first| golden::place(drift, &first.key)).unwrap_or_default();
        one(format!("drifted: {name}"), moved.collect::<Vec<_>>().join("\n"))
    });
    all.extend(named);
    let more = groups.len().saturating_sub(NAMED);
    if more > 0 {
        let rest = counted(more, "variant and situation", "variants and situations");
        all.push(one(format!("drifted: {rest} more"), "drift.csv has them all.".to_owned()));
    }
    let gone = golden::parts(drift, &drift.gone);
    all.extend(
        gone.into_iter()
            .map(|part| one(format!("gone: {part}"), "It was stored and is there no more.".to_owned())),
    );
    all
}

/// Figures that have drifted, those of one variant and situation together, in the order of the first of each.
fn groups(drift: &Drift) -> Vec<Vec<&Drifted>> {
    let mut places = std::collections::BTreeMap::new();
    let mut groups: Vec<Vec<&Drifted>> = Vec::new();
    for one in &drift.drifted {
        let at = *places.entry((&one.key.variant, &one.key.situation)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// What a list of checks comes to: it fails where one fails, and holds where all hold.
pub fn ruling(checks: &[Check]) -> Ruling {
    let any = |ruling: Ruling| checks.iter().any(|check| check.ruling == ruling);
    match () {
        () if any(Ruling::Fails) => Ruling::Fails,
        () if any(Ruling::Undecided) => Ruling::Undecided,
        () => Ruling::Holds,
    }
}

/// How many of them hold, fail and are undecided, in words.
pub(super) fn score(checks: &[Check]) -> String {
    let of = |which: Ruling| checks.iter().filter(|check| check.ruling == which).count();
    let parts =
        [(of(Ruling::Fails), "failed"), (of(Ruling::Undecided), "undecided"), (of(Ruling::Holds), "passed")];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", thousands(*number as u64))).collect();
    format!("{}: {}.", counted(checks.len(), "check", "checks"), parts.join(", "))
}
