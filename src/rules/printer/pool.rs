//! Dice and what is asked of them, as text.

use super::expression::{expression, set, set_list};
use crate::rules::parser::is_a_name;
use crate::rules::tree::{
    DieNode, End, Expr, ExprNode, LimitNode, LimitSort, PoolNode, Question, SetNode, SpanNode, Word,
};

/// `2d6`, `attacks d6`, `d(trait)`, `3 battle`.
pub(super) fn dice(count: Option<&Expr>, die: &DieNode) -> String {
    let die_text = match die {
        DieNode::Faces(faces) => format!("d{faces}"),
        DieNode::Computed(faces) => format!("d({})", expression(faces)),
        DieNode::Named(name) => name.text.clone(),
    };
    let Some(count) = count else { return die_text };
    let touches = matches!(count.node, ExprNode::Number(_)) && !matches!(die, DieNode::Named(_));
    format!("{}{}{die_text}", expression(count), if touches { "" } else { " " })
}

/// What stands behind the dice.
pub(super) fn pool(node: &PoolNode) -> String {
    match node {
        PoolNode::Ask(question, these) => format!("{} {}", asked(*question), set(these)),
        PoolNode::Keep(drop, these) => {
            format!("{} {}", if *drop { "drop" } else { "keep" }, kept(these))
        }
        PoolNode::Extreme(drop, end, number) => {
            let end = if *end == End::Highest { "highest" } else { "lowest" };
            let number =
                number.as_ref().map_or_else(String::new, |number| format!(" {}", expression(number)));
            format!("{}{end}{number}", if *drop { "drop " } else { "" })
        }
        PoolNode::Rank(number) => format!("rank {}", expression(number)),
        PoolNode::Alike(None) => "doubles".to_owned(),
        PoolNode::Alike(Some(number)) => format!("alike {}", expression(number)),
        PoolNode::Reroll(these, limits) => format!("reroll {}{}", set(these), bounds(limits)),
        PoolNode::Explode(these, limits) => format!("explode {}{}", set(these), bounds(limits)),
        PoolNode::Chosen(keep, name, limits) => {
            let word = if *keep { "keep" } else { "reroll" };
            format!("{word} chosen{}{}", named(" as ", name.as_ref()), bounds(limits))
        }
    }
}

fn asked(question: Question) -> &'static str {
    match question {
        Question::Count => "count",
        Question::Any => "any",
        Question::All => "all",
    }
}

/// A single number stands in braces: `keep 2` could mean two dice.
fn kept(these: &SetNode) -> String {
    match these.spans.as_slice() {
        [SpanNode::One(Expr { node: ExprNode::Number(_), .. })] => format!("{{{}}}", set_list(these)),
        _ => set(these),
    }
}

fn bounds(limits: &[LimitNode]) -> String {
    let one = |limit: &LimitNode| {
        let number = expression(&limit.number);
        match limit.sort {
            LimitSort::Times => format!(" at most {number} times"),
            LimitSort::Dice => format!(" at most {number} dice"),
            LimitSort::AtLeast => format!(" at least {number} dice"),
            LimitSort::Cap => format!(" cap {number}"),
        }
    };
    limits.iter().map(one).collect()
}

/// A name with something before it, or nothing.
pub(super) fn named(before: &str, name: Option<&Word>) -> String {
    name.map_or_else(String::new, |name| format!("{before}{}", name.text))
}

/// One option of `choose`; its name in quotes where it would not do as a name.
pub(super) fn option((name, value): &(Word, Expr)) -> String {
    let quote = if is_a_name(&name.text) { "" } else { "\"" };
    format!("{quote}{}{quote}: {}", name.text, expression(value))
}
