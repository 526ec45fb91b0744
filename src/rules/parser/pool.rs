//! Rolls, and the words behind them that ask something of the dice or do something to them.

use super::words::DICE_WORDS;
use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{
    DieNode, End, Expr, ExprNode, LimitNode, LimitSort, PoolNode, Question, SetNode, SpanNode, Word,
};

impl Parser<'_> {
    /// `2d6`, `attacks battle`, `hits d6 count 4+`, or an operand that is no roll.
    pub(super) fn dice(&mut self) -> Parsed<Expr> {
        let mut value = self.roll()?;
        while let Some(word) = self.dice_word() {
            self.count_operand()?;
            let start = value.span;
            self.step();
            let asked = self.pool_word(word, &value)?;
            let span = start.to(self.last_span());
            value = Expr { node: ExprNode::Pool(Box::new(value), asked), span };
        }
        let dice = matches!(value.node, ExprNode::Dice(..) | ExprNode::Pool(..));
        if self.die_is_next() && dice {
            return self.die_counts_dice(value.span);
        }
        if self.next_is_word("dice") && counts(&value) {
            return self.which_dice(&value);
        }
        if self.free_word_is_next() {
            return self.no_dice_word(&value);
        }
        if dice { Ok(value) } else { self.with(value) }
    }

    fn roll(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.die_is_next() {
            self.count_operand()?;
            let die = self.die()?;
            return Ok(Expr { node: ExprNode::Dice(None, die), span: start.to(self.last_span()) });
        }
        self.bare_dice_word()?;
        let count = self.atom()?;
        self.glued_to_a_number(&count)?;
        let die = match self.die_is_next() {
            true => self.die()?,
            false if counts(&count) && self.named_die_is_next() => DieNode::Named(self.name("a die")?),
            false => return Ok(count),
        };
        self.count_operand()?;
        Ok(Expr { node: ExprNode::Dice(Some(Box::new(count)), die), span: start.to(self.last_span()) })
    }

    fn die_is_next(&self) -> bool {
        matches!(self.token(), Token::Die(_))
            || self.next_is_word("d") && self.token_after(1) == Token::Symbol("(")
    }

    /// `d6`, `d(trait)`.
    fn die(&mut self) -> Parsed<DieNode> {
        if let Token::Die(faces) = self.token() {
            self.step();
            return Ok(DieNode::Faces(faces));
        }
        self.step();
        let (faces, _) = self.bracketed("(", ")", Self::expression)?;
        Ok(DieNode::Computed(Box::new(faces)))
    }

    /// Whether the name behind a number of dice is that of a die, and not a slip in front of something else.
    fn named_die_is_next(&self) -> bool {
        let value =
            |token| matches!(token, Token::Number(_) | Token::Die(_) | Token::Symbol(".." | "=" | "=="));
        let behind = (self.token_after(1), self.text_after(1));
        let word = behind.0 == Token::Name && super::words::names_a_die(behind.1);
        self.free_word_is_next() && !value(behind.0) && !word
    }

    fn pool_word(&mut self, word: &str, pool: &Expr) -> Parsed<PoolNode> {
        match word {
            "count" => Ok(PoolNode::Ask(Question::Count, self.faces(word)?)),
            "any" => Ok(PoolNode::Ask(Question::Any, self.faces(word)?)),
            "all" => Ok(PoolNode::Ask(Question::All, self.faces(word)?)),
            "keep" | "drop" => self.keep(word),
            "highest" | "lowest" => self.extreme(false, word),
            "rank" => Ok(PoolNode::Rank(Box::new(self.argument(word)?))),
            "alike" => Ok(PoolNode::Alike(Some(Box::new(self.argument(word)?)))),
            "doubles" => Ok(PoolNode::Alike(None)),
            "reroll" if self.has_word("chosen") => self.chosen(false),
            "reroll" => Ok(PoolNode::Reroll(self.faces(word)?, self.limits(false)?)),
            _ => self.explode(pool),
        }
    }

    fn argument(&mut self, word: &str) -> Parsed<Expr> {
        if self.argument_is_next() {
            return self.atom();
        }
        let mistake = Diagnostic::error(self.span(), format!("`{word}` needs a number"), "which one?");
        self.fail(mistake.remedy(format!("write one word or one bracket behind it, such as `{word} 2`")))
    }

    fn extreme(&mut self, drop: bool, word: &str) -> Parsed<PoolNode> {
        let end = if word == "highest" { End::Highest } else { End::Lowest };
        let number = if self.argument_is_next() { Some(Box::new(self.atom()?)) } else { None };
        Ok(PoolNode::Extreme(drop, end, number))
    }

    fn keep(&mut self, word: &str) -> Parsed<PoolNode> {
        let drop = word == "drop";
        if let Some(end) = ["highest", "lowest"].into_iter().find(|end| self.next_is_word(end)) {
            self.step();
            return self.extreme(drop, end);
        }
        if self.next_is_word("chosen") && !drop {
            self.step();
            return self.chosen(true);
        }
        let braces = self.next_is("{");
        let set = self.faces(word)?;
        if braces { Ok(PoolNode::Keep(drop, set)) } else { self.keep_how(word, set) }
    }

    /// `keep 2` could be two dice, or those that show 2.
    fn keep_how(&mut self, word: &str, set: SetNode) -> Parsed<PoolNode> {
        let [SpanNode::One(Expr { node: ExprNode::Number(number), span })] = set.spans.as_slice() else {
            return Ok(PoolNode::Keep(word == "drop", set));
        };
        let message = format!("a reader cannot tell which dice `{word} {number}` means");
        let mistake = Diagnostic::error(*span, message, "so many dice, or those that show it?");
        let (keep, faces) = (if word == "drop" { "drop lowest" } else { "highest" }, number);
        self.fail(mistake.remedy(format!(
            "for so many dice write `{keep} {number}`, for the dice that show {number} write `{word} {{{faces}}}`"
        )))
    }

    /// The set behind a dice word, with a word on what is often written before it.
    fn faces(&mut self, word: &str) -> Parsed<SetNode> {
        if self.next_is_word("chosen") {
            let mistake = Diagnostic::error(self.span(), format!("`{word} chosen` does not exist"), "here");
            return self.fail(mistake.remedy("the player chooses by `reroll chosen` or `keep chosen`"));
        }
        if matches!(
            self.token(),
            Token::Newline | Token::End | Token::Symbol(")" | "]" | "}" | ";" | "," | "|")
        ) {
            let mistake =
                Diagnostic::error(self.span(), format!("`{word}` needs the faces that are meant"), "which?");
            return self.fail(
                mistake.remedy(format!("write such as `{word} 4+`, `{word} {{1, 2}}` or `{word} any`")),
            );
        }
        if let Some(slip) = self.sign_before_faces(word) {
            return self.fail(slip);
        }
        let set = self.operand_set()?;
        if let [SpanNode::One(number)] = set.spans.as_slice() {
            self.open_end_in_words(number)?;
            self.faces_without_braces(word, number)?;
        }
        Ok(set)
    }

    fn explode(&mut self, pool: &Expr) -> Parsed<PoolNode> {
        let set = self.faces("explode")?;
        let limits = self.limits(false)?;
        if !limits.is_empty() {
            return Ok(PoolNode::Explode(set, limits));
        }
        let place = pool.span.to(set.span);
        let mistake = Diagnostic::error(place, "these dice could go on without end", "no bound");
        let faces = self.text_at(set.span);
        self.fail(mistake.remedy(format!(
            "write a bound that the rules set, `explode {faces} at most 3 times`, or one for the tool, \
             `explode {faces} cap 40`"
        )))
    }

    /// `chosen` has been read: `as name`, `at least 1 dice`, `at most 3 dice`.
    fn chosen(&mut self, keep: bool) -> Parsed<PoolNode> {
        let name = self.as_name()?;
        Ok(PoolNode::Chosen(keep, name, self.limits(true)?))
    }

    /// `as name`, if it is next.
    pub(super) fn as_name(&mut self) -> Parsed<Option<Word>> {
        if self.has_word("as") { Ok(Some(self.name("a name for this choice")?)) } else { Ok(None) }
    }

    /// `at most 3 dice`, `at most 2 times`, `cap 40`; for chosen dice also `at least 1 dice`.
    fn limits(&mut self, chosen: bool) -> Parsed<Vec<LimitNode>> {
        let mut limits: Vec<LimitNode> = Vec::new();
        loop {
            let start = self.span();
            let limit = match (self.token(), self.text_at(start)) {
                (Token::Name, "at") => self.at_most(chosen)?,
                (Token::Name, "cap") => {
                    self.step();
                    LimitNode { sort: LimitSort::Cap, number: self.cap_number()? }
                }
                _ => return Ok(limits),
            };
            self.count_operand()?;
            let (cap, place) = (limit.sort == LimitSort::Cap, start.to(self.last_span()));
            if chosen && cap || limits.iter().any(|one| one.sort == limit.sort) {
                let message = if chosen && cap { "a choice has no `cap`" } else { "this bound stands twice" };
                return self.fail(Diagnostic::error(place, message, "here").remedy("take it out"));
            }
            limits.push(limit);
        }
    }

    fn at_most(&mut self, chosen: bool) -> Parsed<LimitNode> {
        let start = self.step();
        let least = self.next_is_word("least");
        if !least && !self.next_is_word("most") {
            return self.expected("`most`");
        }
        if least && !chosen {
            let mistake = Diagnostic::error(start.to(self.span()), "a bound says `at most`", "at least");
            return self.fail(mistake.remedy("write `at most N times` or `at most N dice`"));
        }
        self.step();
        let number = self.argument("at most")?;
        let sort = match self.text_at(self.span()) {
            "dice" if least => LimitSort::AtLeast,
            "dice" => LimitSort::Dice,
            "times" if !chosen => LimitSort::Times,
            _ => return self.of_what(&number, chosen),
        };
        self.step();
        Ok(LimitNode { sort, number })
    }

    /// The mistake at `at most 3` that does not say of what.
    fn of_what<T>(&mut self, number: &Expr, chosen: bool) -> Parsed<T> {
        let many = self.text_at(number.span);
        let mistake = Diagnostic::error(number.span, "this bound does not say of what", "so many what?");
        let remedy = match chosen {
            true => format!("write `{many} dice`"),
            false => format!("write `{many} times` for each die by itself, `{many} dice` for all in all"),
        };
        self.fail(mistake.remedy(remedy))
    }

    /// The number behind `cap`.
    pub(super) fn cap_number(&mut self) -> Parsed<Expr> {
        if matches!(self.token(), Token::Number(_)) {
            return self.atom();
        }
        let message = "a cap is a plain number: how long the tool goes on before it gives a trial up";
        let mistake = Diagnostic::error(self.span(), message, "no number");
        self.fail(
            mistake.remedy("write a number such as `cap 100`; a bound of the rules is `at most N times`"),
        )
    }

    /// A word behind dice or a value that is not one of the language.
    fn no_dice_word<T>(&mut self, value: &Expr) -> Parsed<T> {
        let (span, word) = (self.span(), self.text_at(self.span()));
        let message = format!("`{word}` is no word that stands behind a value");
        let mistake = Diagnostic::error(span, message, "not understood").also(value.span, "this value");
        let mistake = mistake.did_you_mean(word, DICE_WORDS);
        self.fail(match value.node {
            ExprNode::Dice(..) => {
                let roll = self.text_at(value.span);
                mistake.remedy(format!("for as many dice as the roll says write `({roll}) {word}`"))
            }
            _ => mistake.remedy("write each step on a line of its own, or put `;` between them"),
        })
    }
}

/// Whether something can say how many dice are rolled.
fn counts(value: &Expr) -> bool {
    use ExprNode::{Bracket, Call, For, Index, Member, Name, Number};
    matches!(value.node, Number(_) | Name(_) | Member(..) | Index(..) | Call(..) | For(..) | Bracket(_))
}
