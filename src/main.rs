//! The program; everything it does is in the library.

use std::process::ExitCode;

/// Room for the deepest rules that are accepted, on systems whose main thread has little.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let program = std::thread::Builder::new().stack_size(STACK).spawn(houserule::cli::main);
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit.into(),
        _ => houserule::cli::Exit::Fault.into(),
    }
}
