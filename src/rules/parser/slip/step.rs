//! Steps as other languages write them.

use super::super::words::STEPS;
use super::super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{Expr, ExprNode, Word};

impl Parser<'_> {
    /// The mistake at a step that begins with a word of another language, if it does.
    pub(in super::super) fn foreign_step(&self) -> Option<Diagnostic> {
        let word = self.text_at(self.span());
        let ends = matches!(self.token_after(1), Token::Newline | Token::End | Token::Symbol(";" | "}"));
        let calls = matches!(self.token_after(1), Token::Symbol("=" | "+=" | "-=" | "(" | "[" | "."));
        let (message, remedy) = match word {
            "else" | "elif" | "elseif" | "elsif" => {
                let mistake = Diagnostic::error(
                    self.span(),
                    format!("`{word}` cannot begin a step"),
                    "no `if` with braces goes on here",
                );
                return Some(mistake.remedy("write `if CONDITION { … } else if CONDITION { … } else { … }`"));
            }
            "while" | "until" | "loop" | "do" | "foreach" if !ends && !calls => {
                let remedy = match word {
                    "while" => "write `repeat until not (CONDITION), at most N times { … }`",
                    "foreach" => "write `for u in ours { … }` or `for i in 1..3 { … }`",
                    _ => "write `repeat N times { … }` or `repeat until CONDITION, at most N times { … }`",
                };
                ("steps are done again by `repeat` and `for`", remedy)
            }
            "break" if ends => ("a loop is left by `stop`", "write `stop`"),
            "continue" | "next" if ends => (
                "no word goes on with the next pass of a loop",
                "put what follows into `if not (CONDITION) { … }`",
            ),
            _ => return None,
        };
        Some(Diagnostic::error(self.span(), message, format!("`{word}` is no word for it")).remedy(remedy))
    }

    /// What stands between a name and its new value: `x++`, `x *= 2`, `x := 3`, `x == 3`, `x is 3`.
    pub(in super::super) fn foreign_assignment(&self, target: &Expr) -> Option<Diagnostic> {
        let name = self.text_at(target.span);
        let (sign, next) = (self.text_at(self.span()), self.text_after(1));
        let remedy = match (sign, next) {
            ("+", "+") => format!("write `{name} += 1`"),
            ("-", "-") => format!("write `{name} -= 1`"),
            ("*" | "/", "=") => format!("write `{name} = {name} {sign} …`"),
            (":", "=") | ("==" | "is", _) => format!("to change it write `{name} = …`"),
            _ => return None,
        };
        Some(
            Diagnostic::error(self.span(), "a value is changed by `=`, `+=` or `-=`", "not so")
                .remedy(remedy),
        )
    }

    /// `let` where something is changed: `let x += 1`, `let lost[1] = 0`, `let attacker.stamina = 3`.
    pub(in super::super) fn let_changes<T>(&mut self, word: &str, name: &Word) -> Parsed<T> {
        let mistake = Diagnostic::error(
            self.span(),
            format!("`{word}` gives a name to a new value"),
            "this changes what is there",
        );
        self.fail(mistake.remedy(format!("leave out `{word}`, and begin with `{}`", name.text)))
    }

    /// A step that begins with a name, but is neither a new value for it nor a call.
    pub(in super::super) fn no_statement<T>(&mut self, read: &Expr) -> Parsed<T> {
        let word = self.text_at(read.span);
        let behind = matches!(self.token(), Token::Number(_) | Token::Name | Token::Die(_) | Token::Text);
        if behind && matches!(read.node, ExprNode::Name(_)) && self.dice_word().is_none() {
            let mistake = Diagnostic::error(read.span, "no step of a test begins so", "not such a step");
            return self.fail(
                mistake
                    .did_you_mean(word, STEPS)
                    .remedy("to name a value write `let name = …`; to end the test write `return …`"),
            );
        }
        let mistake = Diagnostic::error(read.span, "this step changes nothing", "a value, and then?");
        self.fail(mistake.remedy(
            "keep it with `let name = …`, change something with `name = …`, or end the test with `return …`",
        ))
    }
}
