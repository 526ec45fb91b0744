//! `houserule completions`: what a shell needs to complete the words of a command line.

use super::out::Out;
use super::{Arguments as Program, Exit};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{Result, Write};

/// Print what a shell needs to complete houserule's words
#[derive(clap::Args)]
#[command(
    after_help = "Example, for bash:\n  houserule completions bash > ~/.local/share/bash-completion/completions/houserule"
)]
pub(super) struct Arguments {
    /// Which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Program::command(), env!("CARGO_PKG_NAME"), &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}
