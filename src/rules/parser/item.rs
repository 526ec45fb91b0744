//! The pieces of a file: everything that stands outside braces.

use super::{MOST_MISTAKES, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{
    DomainNode, Expr, ExprNode, FactorItem, File, Item, ItemNode, KindItem, ModifierLine, ModifiersItem,
    NeverItem, ParameterNode, ResultNode, TestItem, ValueLine, Word,
};

/// Words that open a piece.
const PIECES: [&str; 9] = ["kind", "outcome", "factor", "unit", "die", "never", "modifiers", "chart", "test"];
/// Words that open a line at the head of a file.
const HEAD: [&str; 4] = ["ruleset", "extends", "source", "note"];
impl Parser<'_> {
    /// A whole file.
    pub(super) fn file(mut self) -> Option<File> {
        let mut file = self.head()?;
        while self.token() != Token::End && self.mistakes < MOST_MISTAKES {
            let start = self.at;
            if self.line_is_empty() {
                continue;
            }
            match self.head_line(&mut file) {
                Some(parsed) => parsed.unwrap_or_else(|_| self.skip_piece(start)),
                None => match self.item() {
                    Ok(item) => file.items.push(item),
                    Err(_) => self.skip_piece(start),
                },
            }
        }
        file.comments = std::mem::take(&mut self.comments);
        Some(file)
    }

    /// Steps over a line end between pieces.
    fn line_is_empty(&mut self) -> bool {
        let empty = self.token() == Token::Newline || self.next_is(";");
        if empty {
            self.at += 1;
        }
        empty
    }

    /// `ruleset "name"`, the first line of every file. Without it the rest is read all the same, under an empty name.
    fn head(&mut self) -> Option<File> {
        self.skip_newlines();
        let span = self.span();
        let mut ruleset = Word { text: String::new(), span };
        if self.next_is_word("ruleset") {
            self.step();
            let name = self.quoted("the name of the rules").and_then(|name| self.line_end().map(|()| name));
            match name {
                Ok(name) => ruleset = name,
                Err(_) => self.skip_line(),
            }
        } else {
            let message = "a rules file opens with `ruleset` and its name";
            let mistake = Diagnostic::error(span, message, "not `ruleset`");
            self.fail::<()>(
                mistake.remedy("begin the file with a line such as `ruleset \"My house rules\"`"),
            )
            .ok();
            if self.token() == Token::End {
                return None;
            }
        }
        let (sources, notes, items, comments) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(File { ruleset, extends: None, sources, notes, items, comments })
    }

    /// `extends`, `source` and `note` lines.
    fn head_line(&mut self, file: &mut File) -> Option<Parsed<()>> {
        let span = self.span();
        let word = HEAD.into_iter().find(|word| self.next_is_word(word))?;
        if word == "ruleset" || word == "extends" && file.extends.is_some() {
            let mistake = Diagnostic::error(span, format!("`{word}` stands once in a file"), "a second time");
            return Some(self.fail(mistake.remedy("remove one of them")));
        }
        self.step();
        Some(self.quoted("a text").and_then(|text| {
            match word {
                "extends" => file.extends = Some(text),
                "source" => file.sources.push(text),
                _ => file.notes.push(text),
            }
            self.line_end()
        }))
    }

    /// Steps to the next line outside braces that may open a piece.
    fn skip_piece(&mut self, start: usize) {
        self.brackets = 0;
        self.flows = true;
        self.at = self.at.max(start + 1).min(self.tokens.len() - 1);
        let mut braces = 0_u32;
        while self.token() != Token::End {
            let line_start = self.tokens[self.at - 1].0 == Token::Newline;
            let opens = PIECES.contains(&self.text_at(self.span()));
            if line_start && self.token() == Token::Name && (braces == 0 || opens) {
                return;
            }
            match self.token() {
                Token::Symbol("{") => braces += 1,
                Token::Symbol("}") => braces = braces.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        let overrides = self.has_word("override");
        let word = self.text_at(self.span());
        if overrides && word == "never" {
            let mistake = Diagnostic::error(start, "a `never` has no name to override", "not here");
            return self
                .fail(mistake.remedy("write it without `override`; it is added to those of the base"));
        }
        let node = match word {
            "kind" | "outcome" => ItemNode::Kind(self.kind()?),
            "factor" => ItemNode::Factor(self.factor()?),
            "unit" => ItemNode::Unit(self.unit()?),
            "die" => ItemNode::Die(self.die_item()?),
            "never" => ItemNode::Never(self.never()?),
            "modifiers" => ItemNode::Modifiers(self.modifiers()?),
            "chart" => ItemNode::Chart(self.chart()?),
            "test" => ItemNode::Test(self.test()?),
            _ => return self.no_piece(),
        };
        let span = start.to(self.last_span());
        self.line_end()?;
        Ok(Item { overrides, node, span })
    }

    fn no_piece<T>(&mut self) -> Parsed<T> {
        let word = self.text_at(self.span());
        let message = "a piece of the rules begins with one of a few words";
        let mistake =
            Diagnostic::error(self.span(), message, format!("`{}` is none of them", super::shorten(word)));
        self.fail(mistake.did_you_mean(word, PIECES.into_iter().chain(HEAD).chain(["override"])))
    }

    fn kind(&mut self) -> Parsed<KindItem> {
        let ordered = self.next_is_word("outcome");
        self.step();
        let name = self.name("a name")?;
        let (values, _) = self.lines(false, Self::value_line)?;
        Ok(KindItem { ordered, name, values })
    }

    fn value_line(&mut self) -> Parsed<ValueLine> {
        let start = self.span();
        let mut equals = vec![(self.name("the name of a value")?, self.label())];
        while self.has("=") {
            equals.push((self.name("the name of a value")?, self.label()));
        }
        let span = start.to(self.last_span());
        self.line_end()?;
        Ok(ValueLine { equals, span })
    }

    fn factor(&mut self) -> Parsed<FactorItem> {
        self.step();
        let name = self.name("the name of the factor")?;
        if !self.next_is(":") {
            let mistake =
                Diagnostic::error(self.span(), "what this factor can be is missing", "`:` is needed here");
            let remedy = format!("write `{0}: flag` for yes or no, `{0}: 0..5` for a number", name.text);
            return self.fail(mistake.remedy(remedy));
        }
        self.step();
        let domain = self.domain()?;
        let default = if self.has("=") { Some(self.signed_atom()?) } else { None };
        Ok(FactorItem { name, domain, default, label: self.label() })
    }

    fn domain(&mut self) -> Parsed<DomainNode> {
        if self.next_is_word("flag") {
            return Ok(DomainNode::Flag(self.step()));
        }
        let first = self.signed_atom()?;
        if self.has("..") {
            return Ok(DomainNode::Range(first, self.signed_atom()?));
        }
        if let (ExprNode::Name(text), false) = (&first.node, self.next_is("|")) {
            return Ok(DomainNode::Kind(Word { text: text.clone(), span: first.span }));
        }
        let mut values = vec![first];
        while self.next_is("|") {
            self.step_operator();
            values.push(self.signed_atom()?);
        }
        Ok(DomainNode::Values(values))
    }

    pub(super) fn signed_atom(&mut self) -> Parsed<Expr> {
        self.operands = 0;
        let start = self.span();
        let minus = self.has("-");
        let atom = self.atom()?;
        Ok(match minus {
            true => Expr { span: start.to(atom.span), node: ExprNode::Negate(Box::new(atom)) },
            false => atom,
        })
    }

    fn never(&mut self) -> Parsed<NeverItem> {
        self.step();
        let condition = self.expression()?;
        Ok(NeverItem { condition, why: self.label() })
    }

    fn modifiers(&mut self) -> Parsed<ModifiersItem> {
        self.step();
        let name = self.name("a name")?;
        let parameters = self.parameters()?;
        let (lines, _) = self.lines(false, Self::modifier_line)?;
        Ok(ModifiersItem { name, parameters, lines })
    }

    fn modifier_line(&mut self) -> Parsed<ModifierLine> {
        let start = self.span();
        let minus = self.next_is("-");
        if !minus && !self.next_is("+") {
            let mistake = Diagnostic::error(start, "a modifier begins with `+` or `-`", "no sign");
            return self.fail(mistake.remedy("write a line such as `-1 if shaken \"shaken\"`"));
        }
        self.step();
        self.operands = 0;
        if matches!(self.token(), Token::Die(_)) {
            let roll = Diagnostic::error(self.span(), "no dice are rolled in modifiers", "a roll");
            return self.fail(roll.remedy("roll in a test, and add the modifiers to the roll there"));
        }
        let amount = self.atom()?;
        let per = if self.has_word("per") { Some(self.sum()?) } else { None };
        let condition = if self.has_word("if") { Some(self.or_expression()?) } else { None };
        let label = self.label();
        let span = start.to(self.last_span());
        self.line_end()?;
        Ok(ModifierLine { minus, amount, per, condition, label, span })
    }

    fn test(&mut self) -> Parsed<TestItem> {
        self.step();
        let name = self.name("a name")?;
        let parameters = self.parameters()?;
        let result = if self.next_is("{") { None } else { Some(self.test_result()?) };
        Ok(TestItem { name, parameters, result, body: self.block()? })
    }

    /// `-> kind`, `-> number[2]`.
    fn test_result(&mut self) -> Parsed<ResultNode> {
        let kind = self.result_kind()?;
        let items = if self.next_is("[") { Some(self.size()?) } else { None };
        Ok(ResultNode { kind, items })
    }

    /// `-> kind`.
    pub(super) fn result_kind(&mut self) -> Parsed<Word> {
        if !self.next_is("->") {
            let mistake =
                Diagnostic::error(self.span(), "what it gives is missing", "`-> kind` is needed here");
            return self.fail(mistake.remedy("name an outcome, a kind, `number` or `flag`, as in `-> flag`"));
        }
        self.step();
        self.name("the kind that it gives")
    }

    /// `(a, b: kind)`, or nothing.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<ParameterNode>> {
        if !self.next_is("(") {
            return Ok(Vec::new());
        }
        if self.text_at(self.last_span()) == "d" {
            let mistake =
                Diagnostic::error(self.last_span(), "`d` with brackets is a die", "not a name here");
            return self.fail(mistake.remedy("take a longer name"));
        }
        Ok(self.bracketed("(", ")", Self::parameter_list)?.0)
    }

    fn parameter_list(&mut self) -> Parsed<Vec<ParameterNode>> {
        let mut parameters = Vec::new();
        loop {
            let name = self.name("the name of a key")?;
            let kind = if self.has(":") { Some(self.name("a kind")?) } else { None };
            parameters.push(ParameterNode { name, kind });
            if !self.has(",") {
                return Ok(parameters);
            }
        }
    }
}
