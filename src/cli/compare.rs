//! `houserule compare`: two rules files side by side, without a scenario file.

use super::format::{self, Format};
use super::out::Out;
use super::question::{Effort, Question, Sampling};
use super::roll::{pair, start::Start, twice};
use super::{Early, Exit, ended, render, watch};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::report::{pasted::Rows, terminal};
use crate::rules::{self, Ruleset};
use crate::scenario::{self, Compared, Pair, Scenario};
use crate::study::Budget;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the scenario is called that is played; it is never written to a file.
const SCENARIO: &str = "comparison";

/// Where rows are that have no room.
const ELSEWHERE: &str = "results.csv of a scenario's run";

/// Trials for each file and situation, unless the command line says otherwise.
const TRIALS: u64 = 100_000;

/// Compare two rules files in the situations that matter
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  houserule compare my-game/base.rules my-game/draft.rules --set losses=2\n\n\
                        With charts, tables and claims: houserule help scenario"
)]
pub(super) struct Arguments {
    /// The rules as they are
    #[arg(value_name = "A.rules")]
    original: PathBuf,
    /// The draft
    #[arg(value_name = "B.rules")]
    draft: PathBuf,
    /// Which test, where the files have several
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// A factor that shall not vary (repeat for more)
    #[arg(long, value_name = "FACTOR=VALUE", value_parser = pair, value_delimiter = ',')]
    set: Vec<(String, String)>,
    /// What the player does (repeat for more)
    #[arg(long, value_name = "CHOICE=POLICY", value_parser = pair)]
    policy: Vec<(String, String)>,
    #[command(flatten)]
    sampling: Sampling,
    /// How many threads may work; the numbers stay the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print this on standard output instead of the table, to be pasted
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Compare again whenever one of the files is saved, until Ctrl-C
    #[arg(long, conflicts_with = "format")]
    watch: bool,
}

/// Compares once, or whenever one of the files has changed.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    if !arguments.watch {
        return once(arguments, out, &mut Sources::default());
    }
    let work = |_: usize, sources: &mut Sources| {
        let exit = ended(once(arguments, out, sources))?;
        out.flush()?;
        Ok((!out.is_closed()).then_some(exit))
    };
    let kept = |_: usize| Some("Nothing is compared until that is mended.".to_owned());
    Ok(watch::again(&[vec![arguments.original.clone(), arguments.draft.clone()]], work, kept)?)
}

/// Reads both files, asks what a scenario would, plays, shows.
fn once(arguments: &Arguments, out: &mut Out, sources: &mut Sources) -> Result<Exit, Early> {
    let compared = compared(arguments, sources)?;
    sources.add(SCENARIO, compared.text);
    let effort = Effort { budget: Budget::default().states, threads: arguments.threads };
    let question = Question { scenario: SCENARIO.into(), effort };
    let scenario = question.load("compare", Some(&arguments.sampling), sources)?;
    let study = question.study(&scenario, sources, false)?;
    let analysis = question.compare(&study)?;
    let left = left(&scenario, &compared.left);
    match arguments.format {
        Some(format) => {
            format::print(format, (&scenario, &analysis), Rows::Comparison, ELSEWHERE, out)?;
            left.into_iter().for_each(|line| render::say(&line));
        }
        None => {
            writeln!(out, "{}", terminal::shares(&scenario, &analysis, ELSEWHERE, out.look()))?;
            left.into_iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    Ok(Exit::Done)
}

/// What does not vary although it could.
fn left(scenario: &Scenario, names: &[String]) -> Option<String> {
    let value = |name: &String| {
        let mut rules = scenario.variants.iter().map(|variant| &variant.rules);
        let (rules, id) = rules.find_map(|rules| Some((rules, rules.factor(name)?)))?;
        let factor = &rules.factors[id.0];
        Some(format!("{name} = {}", rules.name_of(factor.ty, factor.default?)))
    };
    let fixed: Vec<String> = names.iter().filter_map(value).collect();
    (!fixed.is_empty())
        .then(|| format!("Left at what the rules say: {}. Others with --set.", fixed.join(", ")))
}

/// The scenario that the command line asks for; or how it ends after all that is wrong has been shown.
fn compared(arguments: &Arguments, sources: &mut Sources) -> Result<Compared, Exit> {
    let paths = [arguments.original.as_path(), arguments.draft.as_path()];
    let mut found = Diagnostics::default();
    let read = paths.map(|path| read(path, sources, &mut found));
    let [Some(original), Some(draft)] = read else {
        render::show(sources, &found, "nothing was compared");
        return Err(Exit::BadFile);
    };
    let (both, mut wrong) = ([original, draft], Diagnostics::default());
    let test = settle(arguments, &both, sources, &mut wrong);
    render::show(sources, &wrong, "nothing was compared");
    let test = test.filter(|_| !wrong.has_errors()).ok_or(Exit::Usage)?;
    Ok(scenario::compare(&Pair {
        rules: [(paths[0], &both[0]), (paths[1], &both[1])],
        test: &test,
        set: &arguments.set,
        policy: &arguments.policy,
        trials: TRIALS,
        seed: 1,
    }))
}

/// Rules, if the file holds any.
fn read(path: &Path, sources: &mut Sources, found: &mut Diagnostics) -> Option<Ruleset> {
    if path.extension().is_some_and(|ending| ending == "rules") {
        return rules::load(path, sources, found);
    }
    let what = format!("{} is no rules file: its name does not end in .rules", path.display());
    found.push(
        Diagnostic::without_place(what).remedy("name two rules files; a scenario is for: houserule run"),
    );
    None
}

/// The test that is compared; complains of every word of the command line that neither of the rules knows, and of all
/// that is still open.
fn settle(
    arguments: &Arguments,
    both: &[Ruleset; 2],
    sources: &mut Sources,
    wrong: &mut Diagnostics,
) -> Option<String> {
    wrong.extend(twice("set", &arguments.set).chain(twice("policy", &arguments.policy)));
    let mut starts = both.clone().map(Start::of_rules);
    starts.iter_mut().for_each(|start| start.test.clone_from(&arguments.test));
    for (name, value) in &arguments.set {
        let knows = |rules: &Ruleset| !scenario::factors_named(rules, name).is_empty();
        let who = either(both.each_ref().map(knows));
        wrong.extend(who.filter_map(|at| starts[at].set(name, value).err()));
    }
    for (name, policy) in &arguments.policy {
        let who = either(both.each_ref().map(|rules| rules.choice(name).is_some()));
        who.for_each(|at| starts[at].choose(name, policy, sources, wrong));
    }
    if wrong.has_errors() {
        return None; // what is missing may only be misspelt
    }
    let tests = starts.each_ref().map(Start::compared);
    let [Ok((test, open)), Ok((_, more))] = tests else {
        wrong.extend(tests.into_iter().filter_map(Result::err).take(1));
        return None;
    };
    wrong.extend(open);
    wrong.extend(more);
    Some(test)
}

/// Who knows a name; if nobody does, the first has to say so.
fn either(knows: [bool; 2]) -> impl Iterator<Item = usize> {
    let nobody = knows == [false; 2];
    (0..2).filter(move |at| knows[*at] || nobody && *at == 0)
}
