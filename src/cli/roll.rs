//! `houserule roll`: one trial told as a story.

pub(super) mod start;

use super::out::Out;
use super::{Early, Exit, check, question, render};
use crate::diagnostic::{Diagnostic, Diagnostics, Sources};
use crate::report::story::story;
use crate::rules::{self, Span};
use crate::scenario::{self, Scenario};
use crate::study::{self, Roll};
use start::Start;
use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Roll a test once and tell it die by die
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  houserule roll my-game/base.rules --set training=raw --set losses=2\n  \
                        houserule roll my-game/scenario.toml --variant draft --times 3"
)]
pub(super) struct Arguments {
    /// Rules (.rules), or a scenario (.toml) whose first situation is taken
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which test, where the file has several
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// Which variant of a scenario; else its baseline
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// A factor of the situation (repeat for more)
    #[arg(long, value_name = "FACTOR=VALUE", value_parser = pair, value_delimiter = ',')]
    set: Vec<(String, String)>,
    /// What the player does (repeat for more)
    #[arg(long, value_name = "CHOICE=POLICY", value_parser = pair)]
    policy: Vec<(String, String)>,
    /// How often
    #[arg(long, value_name = "N", default_value = "1", value_parser = question::number)]
    times: u64,
    /// Seed of the dice; else another each time
    #[arg(long, value_name = "N", value_parser = question::number)]
    seed: Option<u64>,
}

/// `name=value`, in two.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("write it as NAME=VALUE, without spaces".to_owned()),
    }
}

/// Complains of each name that an option gives twice: which value is meant, nobody can know.
pub(super) fn twice(option: &str, pairs: &[(String, String)]) -> impl Iterator<Item = Diagnostic> {
    let repeated = move |(at, (name, value)): (usize, &(String, String))| {
        let (_, before) = pairs[..at].iter().find(|(other, _)| other == name)?;
        let what = format!("--{option} says twice what `{name}` is");
        let remedy = format!("keep one of: --{option} {name}={before}  --{option} {name}={value}");
        Some(Diagnostic::without_place(what).remedy(remedy))
    };
    pairs.iter().enumerate().filter_map(repeated)
}

/// Reads the file, settles the situation, tells the rolls.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let read = read(arguments, &mut sources, &mut found);
    render::show(&sources, &found, "nothing was rolled");
    let read = read.filter(|_| !found.has_errors()).ok_or(Exit::BadFile)?;
    let mut wrong = Diagnostics::default();
    let roll = settle(read, arguments, seed, &mut sources, &mut wrong);
    render::show(&sources, &wrong, "nothing was rolled");
    tell(&roll.ok_or(Exit::Usage)?, arguments, &sources, out)
}

/// What the file was.
enum Read {
    Rules(Start),
    Scenario(Box<Scenario>),
}

/// Reads the file by its ending.
fn read(arguments: &Arguments, sources: &mut Sources, found: &mut Diagnostics) -> Option<Read> {
    let file = &arguments.file;
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("rules") => rules::load(file, sources, found).map(|rules| Read::Rules(Start::of_rules(rules))),
        Some("toml") => {
            scenario::load(file, sources, found).map(|scenario| Read::Scenario(Box::new(scenario)))
        }
        _ => {
            found.push(check::unknown_ending(file));
            None
        }
    }
}

/// The situation with what the command line says; or nothing, and every word of the command line that is wrong.
fn settle(
    read: Read,
    arguments: &Arguments,
    seed: u64,
    sources: &mut Sources,
    wrong: &mut Diagnostics,
) -> Option<Roll> {
    let mut start = match (read, &arguments.variant) {
        (Read::Scenario(scenario), name) => {
            let variant =
                start::variant(&scenario, name.as_deref()).map_err(|error| wrong.push(error)).ok()?;
            Start::of_scenario(&scenario, variant, &arguments.set)
        }
        (Read::Rules(start), None) => start,
        (Read::Rules(_), Some(_)) => {
            let what = "--variant goes with a scenario file, and this is a rules file";
            wrong.push(Diagnostic::without_place(what).remedy("leave it out"));
            return None;
        }
    };
    start.test = arguments.test.clone().or(start.test);
    wrong.extend(twice("set", &arguments.set).chain(twice("policy", &arguments.policy)));
    wrong.extend(arguments.set.iter().filter_map(|(name, value)| start.set(name, value).err()));
    for (name, policy) in &arguments.policy {
        start.choose(name, policy, sources, wrong);
    }
    if wrong.has_errors() {
        return None; // what is missing may only be misspelt
    }
    start.roll(seed, wrong)
}

/// Tells one roll after the other, until nobody reads any more.
fn tell(roll: &Roll, arguments: &Arguments, sources: &Sources, out: &mut Out) -> Result<Exit, Early> {
    let quote = |span: Span| {
        let file = sources.get(span.file).path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (format!("{file}:{}", sources.line(span)), sources.text(span).to_owned())
    };
    let plan = roll.plan().map_err(|unsolved| render::refuse(sources, unsolved, "nothing was rolled"))?;
    for (events, trial) in study::stories(&plan, roll.seed, arguments.times) {
        if out.is_closed() {
            break;
        }
        writeln!(out, "{}", story(&plan, &events, &trial, &quote))?;
    }
    if arguments.seed.is_none() {
        writeln!(out, "The same dice again: --seed {}", roll.seed)?;
    }
    Ok(Exit::Done)
}

/// A short seed that is another each time.
fn any_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_micros())
}
