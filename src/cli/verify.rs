//! `houserule verify`: does the simulator agree with arithmetic?

use super::Exit;
use super::out::Out;
use super::question::{self, Question, Sampling};
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
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> std::io::Result<Exit> {
    let question = &arguments.question;
    let mut sources = Sources::default();
    let Some(mut scenario) = question.load("verify", Some(&arguments.sampling), &mut sources) else {
        return Ok(Exit::BadFile);
    };
    scenario.precision = None; // all are played alike, so that all are judged alike
    let study = match question.study(&scenario, &sources, false) {
        Ok(study) => study,
        Err(exit) => return Ok(exit),
    };
    let analysis = match question.play(&study, false, None) {
        Ok(analysis) => analysis,
        Err(stopped) => {
            return Ok(question::stopped(stopped, &format!("nothing was compared; {}", question::AGAIN)));
        }
    };
    write!(out, "{}", agreement::page(&scenario, &analysis))?;
    let agrees = analysis.agreement.is_none_or(|found| found.beyond.is_empty());
    Ok(if agrees { Exit::Done } else { Exit::Failed })
}
