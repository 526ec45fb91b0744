//! `repeat` in its three forms and `for` in its three forms.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{Expr, ExprNode, ForRange, Repetition, StatementNode, Word};

impl Parser<'_> {
    /// `repeat 3 times { }`, `repeat until done, at most 6 times { }`, `repeat until done, cap 100 { }`.
    pub(super) fn repeat(&mut self) -> Parsed<StatementNode> {
        self.step();
        if self.next_is_word("while") {
            let mistake = Diagnostic::error(self.span(), "there is no `while`", "not so");
            return self.fail(mistake.remedy("write `repeat until not (CONDITION), at most N times { … }`"));
        }
        let repetition = if self.has_word("until") { self.until()? } else { self.times()? };
        let block = self.braced(match repetition {
            Repetition::Times(_) => "repeat N times",
            Repetition::AtMost(..) => "repeat until CONDITION, at most N times",
            Repetition::Cap(..) => "repeat until CONDITION, cap N",
        })?;
        Ok(StatementNode::Repeat(repetition, block))
    }

    fn times(&mut self) -> Parsed<Repetition> {
        if self.next_is("{") {
            let mistake = Diagnostic::error(self.span(), "how often this is repeated is missing", "here");
            return self.fail(mistake.remedy("write `repeat N times { … }`"));
        }
        let number = self.expression()?;
        self.times_word("repeat", &number)?;
        Ok(Repetition::Times(number))
    }

    /// The word `times` behind a number.
    fn times_word(&mut self, before: &str, number: &Expr) -> Parsed<()> {
        if self.has_word("times") {
            return Ok(());
        }
        let mistake = Diagnostic::error(self.span(), "the word `times` is missing", "here");
        self.fail(mistake.remedy(format!("write `{before} {} times {{ … }}`", self.text_at(number.span))))
    }

    fn until(&mut self) -> Parsed<Repetition> {
        let condition = self.expression()?;
        let comma = self.next_is(",");
        if comma {
            self.step_operator();
        }
        let (at, cap) = (self.next_is_word("at"), self.next_is_word("cap"));
        if !comma && (at || cap) {
            let mistake = Diagnostic::error(self.span(), "a comma stands before the bound", "no comma");
            return self.fail(mistake.remedy("write `repeat until CONDITION, at most N times { … }`"));
        }
        if cap {
            self.step();
            let number = self.cap_number()?;
            return self.no_times_behind_cap(condition, number);
        }
        if !at {
            let message = "this loop could go on without end";
            let mistake = Diagnostic::error(condition.span, message, "no bound behind the condition");
            return self.fail(mistake.remedy(
                "write `, at most N times` if the rules stop it there, or `, cap 1000` to say when the tool gives up",
            ));
        }
        self.step();
        if !self.has_word("most") {
            return self.expected("`most`");
        }
        let number = self.expression()?;
        self.times_word("repeat until CONDITION, at most", &number)?;
        Ok(Repetition::AtMost(condition, number))
    }

    fn no_times_behind_cap(&mut self, condition: Expr, number: Expr) -> Parsed<Repetition> {
        if !self.next_is_word("times") {
            return Ok(Repetition::Cap(condition, number));
        }
        let mistake = Diagnostic::error(self.span(), "`cap` needs no `times`", "one word too many");
        self.fail(mistake.remedy("take it out; if it is a bound of the rules, write `at most N times`"))
    }

    /// `for i in 1..n { }`, `for u in ours { }`, `for u in ours in chosen order as name { }`.
    pub(super) fn for_statement(&mut self) -> Parsed<StatementNode> {
        self.step();
        if ["each", "every", "all"].iter().any(|word| self.next_is_word(word)) && self.text_after(1) != "in" {
            let mistake = Diagnostic::error(self.span(), "one name stands behind `for`", "one word too many");
            return self.fail(mistake.remedy(format!("write `for {} in …`", self.text_after(1))));
        }
        let name = self.name("a name for each in turn")?;
        if !self.has_word("in") {
            let mistake = Diagnostic::error(self.span(), "`in` is missing", "here");
            return self.fail(mistake.remedy(format!(
                "write `for {0} in 1..3 {{ … }}` or `for {0} in units {{ … }}`",
                name.text
            )));
        }
        let range = self.for_range()?;
        let block = self.braced(&format!("for {} in …", name.text))?;
        Ok(StatementNode::For(name, range, block))
    }

    fn for_range(&mut self) -> Parsed<ForRange> {
        self.operands = 0;
        let first = self.sum()?;
        if self.has("..") {
            return Ok(ForRange::Numbers(first, self.sum()?));
        }
        let ExprNode::Name(text) = first.node else {
            let mistake = Diagnostic::error(
                first.span,
                "a loop goes from one number to another",
                "from where to where?",
            );
            let to = ["to", "-"].contains(&self.text_at(self.span()))
                && matches!(self.token_after(1), Token::Number(_) | Token::Name);
            let from = if to { self.text_at(first.span) } else { "1" };
            let last = if to { self.text_after(1) } else { self.text_at(first.span) };
            return self.fail(mistake.remedy(format!("write `{from}..{last}`")));
        };
        let units = Word { text, span: first.span };
        if !self.has_word("in") {
            return Ok(ForRange::Units(units));
        }
        if !self.has_word("chosen") || !self.has_word("order") {
            let mistake = Diagnostic::error(self.span(), "units come in the order of their list", "not so");
            return self.fail(mistake.remedy("write `in chosen order` if the player says which comes next"));
        }
        Ok(ForRange::Chosen(units, self.as_name()?))
    }
}
