//! `houserule help`: pages to read, and what is printed when nothing is asked for.

use super::out::Out;
use super::{Arguments as Program, Exit, render};
use clap::CommandFactory;
use std::io::{Result, Write};

/// Print a page (rules, scenario, ...) or the options of a command
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// rules, scenario, statistics, shards, exit-codes, ci, or the name of a command
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

/// The pages, by the word that asks for them.
const PAGES: [(&str, &str); 6] = [
    ("rules", include_str!("../../docs/rules.md")),
    ("scenario", include_str!("../../docs/scenario.md")),
    ("statistics", include_str!("../../docs/statistics.md")),
    ("shards", include_str!("../../docs/shards.md")),
    ("exit-codes", include_str!("../../docs/exit-codes.md")),
    ("ci", include_str!("../../docs/ci.md")),
];

/// What stands below the list of commands.
pub(super) const MORE: &str = "\
Pages to read:
  houserule help rules        how a rule is written
  houserule help scenario     how a question is asked
  houserule help statistics   what the numbers mean
  houserule help shards       what is kept, and runs in parts
  houserule help exit-codes   how a script sees what happened
  houserule help ci           how a run is checked on every change";

const FIRST_STEPS: &str = "\
houserule plays a house rule and the original millions of times, and says with
what certainty they differ.

First steps:
  houserule new my-game                   a folder with rules, a draft, a question
  houserule roll my-game/base.rules       one test, told die by die
  houserule run my-game/scenario.toml     a page with tables and charts of it
  houserule help rules                    how to write your own

All commands: houserule --help
";

/// What `houserule` alone prints.
pub(super) fn first_steps(out: &mut Out) -> Result<Exit> {
    out.write_all(FIRST_STEPS.as_bytes())?;
    Ok(Exit::Done)
}

/// Prints a page, or the options of a command.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit> {
    let mut program = Program::command();
    program.build();
    let Some(topic) = arguments.topic.as_deref() else {
        write!(out, "{}", program.render_long_help())?;
        return Ok(Exit::Done);
    };
    if let Some((_, page)) = PAGES.iter().find(|(name, _)| *name == topic) {
        out.write_all(page.as_bytes())?;
    } else if let Some(command) = program.find_subcommand_mut(topic) {
        write!(out, "{}", command.render_long_help())?;
    } else {
        let pages = PAGES.map(|(name, _)| name).join(", ");
        render::say(&format!(
            "error: there is no page `{}`\nThere are: {pages}, and the name of each command (houserule --help).",
            topic.escape_debug()
        ));
        return Ok(Exit::Usage);
    }
    Ok(Exit::Done)
}
