//! Units, and dice with faces of their own.

use super::words::names_a_die;
use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::rules::lexer::Token;
use crate::rules::tree::{DieItem, Expr, ExprNode, UnitItem};

impl Parser<'_> {
    /// `unit attacker, ours[3]: troop, stamina`.
    pub(super) fn unit(&mut self) -> Parsed<UnitItem> {
        self.step();
        let names = self.listed(|parser| {
            let name = parser.name("the name of a unit")?;
            Ok((name, if parser.next_is("[") { Some(parser.size()?) } else { None }))
        })?;
        if !self.next_is(":") {
            let mistake =
                Diagnostic::error(self.span(), "the factors of this unit are missing", "`:` is needed here");
            return self
                .fail(mistake.remedy(
                    "name the factors that each unit has: `unit attacker, defender: troop, stamina`",
                ));
        }
        self.step_operator();
        Ok(UnitItem { names, factors: self.listed(|parser| parser.name("the name of a factor"))? })
    }

    /// Things with commas between them; the line may end behind a comma.
    fn listed<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.next_is(",") {
            self.step_operator();
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// `die average { 2, 3, 3, 4, 4, 5 }`.
    pub(super) fn die_item(&mut self) -> Parsed<DieItem> {
        self.step();
        let name = self.name("the name of the die")?;
        if !names_a_die(&name.text) {
            let message = format!("a die cannot be called `{}`", name.text);
            let mistake = Diagnostic::error(name.span, message, "a word that stands behind dice");
            return self.fail(mistake.remedy(format!("take another name, such as `{}_die`", name.text)));
        }
        if !self.next_is("{") {
            let mistake = Diagnostic::error(self.span(), "the faces of a die stand in braces", "not so");
            return self
                .fail(mistake.remedy(format!("write such as `die {} {{ 2, 3, 3, 4, 4, 5 }}`", name.text)));
        }
        let (faces, _) = self.bracketed("{", "}", |parser| parser.listed(Self::face))?;
        Ok(DieItem { name, faces })
    }

    fn face(&mut self) -> Parsed<Expr> {
        let face = self.signed_atom()?;
        let inside = if let ExprNode::Negate(inside) = &face.node { inside } else { &face };
        if !matches!(inside.node, ExprNode::Name(_) | ExprNode::Number(_)) {
            let mistake = Diagnostic::error(face.span, "a face is a name or a number", "neither");
            return self.fail(mistake.remedy("write the faces one by one, with commas between them"));
        }
        if self.next_is(";") || self.token() == Token::Name {
            let mistake =
                Diagnostic::error(self.span(), "commas stand between the faces of a die", "no comma");
            return self.fail(mistake.remedy("write such as `die average { 2, 3, 3, 4, 4, 5 }`"));
        }
        Ok(face)
    }

    /// `[3]`: how many.
    pub(super) fn size(&mut self) -> Parsed<Expr> {
        Ok(self.bracketed("[", "]", Self::plain_number)?.0)
    }

    fn plain_number(&mut self) -> Parsed<Expr> {
        self.operands = 0;
        if matches!(self.token(), Token::Number(_)) {
            return self.atom();
        }
        let mistake = Diagnostic::error(self.span(), "how many there are is a plain number", "no number");
        self.fail(mistake.remedy("write a number such as `[3]`"))
    }
}
