//! The command line: one file per command, what is printed, how the program ends.
//!
//! In: the words after `houserule`. Out: text, files, and an [`Exit`]. The only room that prints and exits.
//!
//! **Never:** any rule or formula.

mod check;
mod ci;
mod compare;
mod completions;
mod exit;
mod fault;
mod fmt;
mod format;
mod help;
mod interrupt;
mod man;
mod merge;
mod new;
mod out;
mod progress;
mod question;
mod render;
mod roll;
mod run;
mod sensitivity;
mod solve;
mod tune;
mod verify;
mod watch;

pub use exit::Exit;
use exit::{Early, ended};

use clap::{Parser, Subcommand};
use out::Out;
use std::io::Write;

/// Plays a house rule and the original millions of times and says how they differ.
#[derive(Parser)]
#[command(name = "houserule", version, disable_help_subcommand = true, after_help = help::MORE)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Also print mistakes, and what a run finds wrong, as annotations
    #[arg(long, global = true, value_name = "SYSTEM")]
    annotate: Option<Annotate>,
}

/// Whose annotations are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Annotate {
    /// GitHub Actions
    Github,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Merge(merge::Arguments),
    Compare(compare::Arguments),
    Solve(solve::Arguments),
    Verify(verify::Arguments),
    Sensitivity(sensitivity::Arguments),
    Tune(tune::Arguments),
    Check(check::Arguments),
    Roll(roll::Arguments),
    Fmt(fmt::Arguments),
    New(new::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    Help(help::Arguments),
}

/// Runs the program with the words it was called with; no panic gets past it.
pub fn main() -> Exit {
    fault::guard(|| {
        interrupt::hear();
        let mut out = Out::stdout();
        start(&mut out).and_then(|exit| out.flush().map(|()| exit)).unwrap_or_else(|error| {
            render::say(&format!("error: the output cannot be written: {error}"));
            Exit::Fault
        })
    })
}

/// Reads the command line and does what it says.
fn start(out: &mut Out) -> std::io::Result<Exit> {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, out),
    };
    if arguments.annotate == Some(Annotate::Github) {
        render::annotate();
    }
    match arguments.command {
        None => help::first_steps(out),
        Some(Command::Run(arguments)) => ended(run::run(&arguments, out)),
        Some(Command::Merge(arguments)) => ended(merge::run(&arguments, out)),
        Some(Command::Compare(arguments)) => ended(compare::run(&arguments, out)),
        Some(Command::Solve(arguments)) => ended(solve::run(&arguments, out)),
        Some(Command::Verify(arguments)) => ended(verify::run(&arguments, out)),
        Some(Command::Sensitivity(arguments)) => ended(sensitivity::run(&arguments, out)),
        Some(Command::Tune(arguments)) => ended(tune::run(&arguments, out)),
        Some(Command::Check(arguments)) => check::run(&arguments, out),
        Some(Command::Roll(arguments)) => ended(roll::run(&arguments, out)),
        Some(Command::Fmt(arguments)) => fmt::run(&arguments, out),
        Some(Command::New(arguments)) => new::run(&arguments, out),
        Some(Command::Completions(arguments)) => completions::run(&arguments, out),
        Some(Command::Man(arguments)) => man::run(&arguments, out),
        Some(Command::Help(arguments)) => help::run(&arguments, out),
    }
}

/// What clap has to say instead of arguments: a help text that was asked for, or what is wrong with the words.
fn refuse(error: &clap::Error, out: &mut Out) -> std::io::Result<Exit> {
    if error.use_stderr() {
        let _ = error.print(); // nobody is left to tell if standard error is closed
        return Ok(Exit::Usage);
    }
    let text = error.render();
    match out.is_colourful() {
        true => write!(out, "{}", text.ansi())?,
        false => write!(out, "{text}")?,
    }
    Ok(Exit::Done)
}
