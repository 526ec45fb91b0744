//! Expressions, loosest binding first: `a if c else b`, `or`, `and`, `not`, relations, sums, products, dice, calls.

use super::{LONGEST_EXPRESSION, Parsed, Parser};
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::lexer::Token;
use crate::rules::tree::{BinaryOp, Expr, ExprNode, Word};

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let outermost = self.brackets == 0 && self.options == 0;
        if outermost {
            self.operands = 0;
        }
        let then = self.or_expression()?;
        self.join_if_else(then)
    }

    fn join_if_else(&mut self, then: Expr) -> Parsed<Expr> {
        if !self.has_word("if") {
            return Ok(then);
        }
        let condition = self.or_expression()?;
        self.join_lines();
        if self.next_is("=") || self.next_is("==") || self.next_is("!=") {
            return self.expected("`else`");
        }
        if !self.next_is_word("else") {
            let mistake = Diagnostic::error(self.span(), "`if` needs an `else` here", "what if not?");
            return self.fail(mistake.remedy("write `A if CONDITION else B`"));
        }
        self.step_operator();
        self.count_operand()?;
        let after = self.or_expression()?;
        let otherwise = self.join_if_else(after)?;
        let span = then.span.to(otherwise.span);
        Ok(Expr { node: ExprNode::If(Box::new(then), Box::new(condition), Box::new(otherwise)), span })
    }

    /// Everything but a bare `if`.
    pub(super) fn or_expression(&mut self) -> Parsed<Expr> {
        self.chain_of_words("or", BinaryOp::Or, |parser| {
            parser.chain_of_words("and", BinaryOp::And, Self::not_expression)
        })
    }

    fn chain_of_words(
        &mut self,
        word: &str,
        op: BinaryOp,
        mut operand: impl FnMut(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        loop {
            self.join_lines();
            if !self.next_is_word(word) {
                return Ok(left);
            }
            self.step_operator();
            left = binary(op, left, operand(self)?);
        }
    }

    fn not_expression(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.has_word("not") {
            return self.relation();
        }
        self.count_operand()?;
        let operand = self.not_expression()?;
        Ok(Expr { span: start.to(operand.span), node: ExprNode::Not(Box::new(operand)) })
    }

    fn relation(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        self.join_lines();
        if let Some(comparison) = self.comparison() {
            self.step_operator();
            let right = self.sum()?;
            return self.no_chain(binary(BinaryOp::Compare(comparison), left, right));
        }
        if !self.has_word("is") {
            return Ok(left);
        }
        let negated = self.has_word("not");
        let set = self.operand_set()?;
        let span = left.span.to(set.span);
        self.no_chain(Expr { node: ExprNode::Is(Box::new(left), negated, set), span })
    }

    fn no_chain(&mut self, relation: Expr) -> Parsed<Expr> {
        if self.comparison().is_none() && !self.next_is_word("is") {
            return Ok(relation);
        }
        let mistake = Diagnostic::error(self.span(), "comparisons do not go on in chains", "a second one");
        self.fail(mistake.remedy("join two comparisons with `and`"))
    }

    /// Operands with `+` and `-` between them.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        const SIGNS: [(&str, BinaryOp); 2] = [("+", BinaryOp::Add), ("-", BinaryOp::Subtract)];
        let mut left = self.product()?;
        loop {
            self.join_lines();
            let Some(op) = self.arithmetic(SIGNS) else { return Ok(left) };
            self.range_for_a_number()?;
            self.step_operator();
            left = binary(op, left, self.product()?);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        const SIGNS: [(&str, BinaryOp); 2] = [("*", BinaryOp::Multiply), ("/", BinaryOp::Divide)];
        let mut left = self.unary()?;
        loop {
            self.join_lines();
            let Some(op) = self.arithmetic(SIGNS) else { return Ok(left) };
            self.step_operator();
            left = binary(op, left, self.unary()?);
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.has("-") {
            return self.dice();
        }
        self.count_operand()?;
        let operand = self.unary()?;
        Ok(Expr { span: start.to(operand.span), node: ExprNode::Negate(Box::new(operand)) })
    }

    /// `call with name = value, name = value`.
    pub(super) fn with(&mut self, call: Expr) -> Parsed<Expr> {
        if !self.has_word("with") {
            return Ok(call);
        }
        let mut settings = Vec::new();
        loop {
            let name = self.name("the name of a factor")?;
            self.symbol("=")?;
            settings.push((name, self.or_expression()?));
            if !self.next_is(",") || !self.setting_follows() {
                break;
            }
            self.step_operator();
        }
        if self.next_is_word("for") {
            let mistake = Diagnostic::error(self.span(), "`for` stands before `with`", "too late");
            let call = self.text_at(call.span);
            return self.fail(mistake.remedy(format!("write `{call} for UNIT with …`")));
        }
        if self.next_is_word("if") {
            let mistake =
                Diagnostic::error(self.span(), "a reader cannot tell what this `if` belongs to", "here");
            return self.fail(
                mistake.remedy("put brackets around the value of the setting, or around the whole call"),
            );
        }
        let span = call.span.to(self.last_span());
        Ok(Expr { node: ExprNode::With(Box::new(call), settings), span })
    }

    /// Whether the comma that is next leads to another `name =`, perhaps on the next line.
    fn setting_follows(&self) -> bool {
        let mut behind = self.tokens[self.at + 1..].iter().map(|(token, _)| *token);
        behind.find(|token| *token != Token::Newline) == Some(Token::Name)
            && behind.next() == Some(Token::Symbol("="))
    }

    /// One word, one call or one bracket.
    pub(super) fn atom(&mut self) -> Parsed<Expr> {
        self.count_operand()?;
        let span = self.span();
        let word = self.text_at(span);
        match self.token() {
            Token::Number(number) => {
                self.step();
                Ok(Expr { node: ExprNode::Number(number), span })
            }
            Token::Symbol("(") => self.bracket(),
            Token::Symbol("[") => self.list(),
            Token::Name if word == "yes" || word == "no" => {
                self.step();
                Ok(Expr { node: ExprNode::Flag(word == "yes"), span })
            }
            Token::Name if word == "choose" => self.choose(),
            Token::Name if word == "chance" && self.chance_follows() => self.chance(),
            Token::Name if word == "if" => {
                let mistake = Diagnostic::error(span, "`if` stands between two values", "no value before it");
                self.fail(mistake.remedy("write `A if CONDITION else B`"))
            }
            Token::Name => self.named(),
            _ => self.expected("a value"),
        }
    }

    fn bracket(&mut self) -> Parsed<Expr> {
        let (inside, span) = self.bracketed("(", ")", Self::expression)?;
        Ok(Expr { node: ExprNode::Bracket(Box::new(inside)), span })
    }

    fn list(&mut self) -> Parsed<Expr> {
        let (items, span) = self.bracketed("[", "]", Self::arguments)?;
        self.reject_bare_with(&items, span, "of this list")?;
        Ok(Expr { node: ExprNode::List(items), span })
    }

    /// A name, `troop.infantry`, `lost[i]`, `ours[i].health`, or a call.
    fn named(&mut self) -> Parsed<Expr> {
        let name = self.name("a value")?;
        if self.next_is(".") {
            self.step();
            let member = self.member(&name)?;
            let span = name.span.to(member.span);
            return Ok(Expr { node: ExprNode::Member(name, member), span });
        }
        if self.next_is("[") {
            return self.index(name);
        }
        let call = match self.next_is("(") {
            true => self.call(name)?,
            false => Expr { span: name.span, node: ExprNode::Name(name.text) },
        };
        if self.next_is_word("for") { self.for_unit(call) } else { Ok(call) }
    }

    /// `[expression]` behind a name, and perhaps `.name`.
    fn index(&mut self, name: Word) -> Parsed<Expr> {
        let (at, brackets) = self.bracketed("[", "]", Self::expression)?;
        let member = if self.has(".") { Some(self.name("the name of a factor")?) } else { None };
        let span = name.span.to(member.as_ref().map_or(brackets, |member| member.span));
        Ok(Expr { node: ExprNode::Index(name, Box::new(at), member), span })
    }

    /// `call for unit`, `call for units[i]`.
    fn for_unit(&mut self, call: Expr) -> Parsed<Expr> {
        self.step();
        self.count_operand()?;
        let name = self.name("the name of a unit")?;
        let unit = match self.next_is("[") {
            true => self.index(name)?,
            false => Expr { span: name.span, node: ExprNode::Name(name.text) },
        };
        let span = call.span.to(unit.span);
        Ok(Expr { node: ExprNode::For(Box::new(call), Box::new(unit)), span })
    }

    fn call(&mut self, name: Word) -> Parsed<Expr> {
        let (arguments, brackets) = self.bracketed("(", ")", Self::arguments)?;
        let span = name.span.to(brackets);
        self.reject_bare_with(&arguments, span, "of this call")?;
        Ok(Expr { node: ExprNode::Call(name, arguments), span })
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = vec![self.expression()?];
        while self.has(",") {
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    /// In `f(a with x = 1, y = 2)` a reader cannot tell a setting from an argument.
    fn reject_bare_with(&mut self, arguments: &[Expr], whole: Span, of: &str) -> Parsed<()> {
        let Some(bare) = arguments.iter().find(|argument| matches!(argument.node, ExprNode::With(..))) else {
            return Ok(());
        };
        let mistake =
            Diagnostic::error(bare.span, "a reader cannot tell where this `with` ends", "one of several")
                .also(whole, of);
        self.fail(mistake.remedy("put brackets around it, from its name to the last setting"))
    }

    /// Bounds how long and how deep an expression can be.
    pub(super) fn count_operand(&mut self) -> Parsed<()> {
        self.operands += 1;
        if self.operands <= LONGEST_EXPRESSION {
            return Ok(());
        }
        let message = format!("this expression has more than {LONGEST_EXPRESSION} operands and brackets");
        let mistake = Diagnostic::error(self.span(), message, "too long from here on");
        self.fail(mistake.remedy("name its parts with `let`"))
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { node: ExprNode::Binary(op, Box::new(left), Box::new(right)), span }
}
