//! `houserule verify`: does the simulator agree with arithmetic?

use super::out::Out;
use super::question::{Question, Sampling};
use super::{Early, Exit};
use crate::diagnostic::Sources;
use crate::report::agreement;
use std::io::Write;

/// Play and solve the same situations, and compare: does the simulator agree with arithmetic?
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 4 if they do not agree.\nExample:\n  houserule verify scenarios/black-powder/break-test.toml"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    sampling: Sampling,
}

/// Loads, solves, plays, compares.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit, Early> {
    let question = &arguments.question;
    let mut sources = Sources::default();
    let mut scenario = question.load("verify", Some(&arguments.sampling), &mut sources)?;
    scenario.precision = None; // all are played alike, so that all are judged alike
    let study = question.study(&scenario, &sources, false)?;
    let analysis = question.compare(&study)?;
    write!(out, "{}", agreement::page(&scenario, &analysis))?;
    let agrees = analysis.agreement.is_none_or(|found| found.beyond.is_empty());
    Ok(if agrees { Exit::Done } else { Exit::Failed })
}
