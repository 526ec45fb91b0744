//! `houserule man`: the options of each command as pages for `man`.

use super::out::Out;
use super::{Arguments as Program, Exit, render};
use clap::CommandFactory;
use std::io::{Result, Write};
use std::path::PathBuf;

/// Write a page for `man` on each command
#[derive(clap::Args)]
#[command(after_help = "Example:\n  houserule man ~/.local/share/man/man1\n  man houserule-run")]
pub(super) struct Arguments {
    /// Where to write the pages
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes the pages.
pub(super) fn run(arguments: &Arguments, out: &mut Out) -> Result<Exit> {
    let folder = &arguments.folder;
    let mut program = Program::command();
    program.build();
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder));
    if let Err(error) = written {
        render::say(&format!("error: the pages cannot be written to `{}`: {error}", folder.display()));
        return Ok(Exit::Fault);
    }
    writeln!(out, "Wrote a page for each command to {}", folder.display())?;
    Ok(Exit::Done)
}
