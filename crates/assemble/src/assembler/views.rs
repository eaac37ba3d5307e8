//! Views: which of the lines of one place a `.loc` is, for debuggers.

use sequence::{BinaryOp, Problem, UnaryOp};

use super::Assembler;
use crate::expr::Node;
use crate::layout::problem;
use crate::stream::PieceKind;
use crate::symbols::{Definition, Place};

/// The last line of a stream.
#[derive(Clone, Debug)]
pub(super) struct Line {
    place: Place,
    view: Node,
    /// Lines before it whose distance is known only at the end.
    depth: u32,
}

/// Most of those in a row: each is a part of the value of the next.
const DEEPEST: u32 = 100;

impl Assembler {
    /// Counts one line, and gives its number to a label. A line at the same place as the one before
    /// it has the next number, another 0.
    pub(super) fn location(&mut self, label: Option<&str>, restarts: bool) -> Result<(), Problem> {
        let place = self.here();
        let (view, before) = match self.lines.get(&place.stream) {
            Some(before) if !restarts => {
                let before = before.clone();
                let depth = before.depth;
                (self.next_view(before, place), depth)
            }
            _ => (Node::Number(0), 0),
        };
        let depth = if matches!(view, Node::Number(_)) {
            0
        } else {
            before + 1
        };
        if depth > DEEPEST {
            return Err(problem(
                format!("more than {DEEPEST} lines between which there are only paddings"),
                "leave the `.loc`s out",
            ));
        }
        let line = Line {
            place,
            view: view.clone(),
            depth,
        };
        self.lines.insert(place.stream, line);
        let Some(label) = label else {
            return Ok(());
        };
        let id = self.symbols.named(label);
        let entry = self.symbols.get_mut(id);
        if entry.definition != Definition::Undefined {
            return Err(problem(
                format!("`{label}` is already defined"),
                "give each view a label of its own",
            ));
        }
        entry.definition = match view {
            Node::Number(number) => Definition::Absolute(number),
            node => Definition::Expression(Box::new(node)),
        };
        Ok(())
    }

    fn next_view(&mut self, before: Line, here: Place) -> Node {
        let next = match before.view {
            Node::Number(number) => Node::Number(number + 1),
            node => Node::Binary(BinaryOp::Add, Box::new(node), Box::new(Node::Number(1))),
        };
        if before.place.fixed != here.fixed {
            return Node::Number(0);
        }
        if before.place.frag == here.frag {
            return next;
        }
        let between = before.place.frag as usize..here.frag as usize;
        let pieces = self.stream().pieces.get(between).unwrap_or_default();
        if pieces
            .iter()
            .any(|piece| matches!(piece.kind, PieceKind::Branch { .. }))
        {
            return Node::Number(0);
        }
        // Whether an alignment between the two is empty is known at the end.
        let from = self.symbols.anonymous(before.place);
        let to = self.symbols.anonymous(here);
        let same = Node::Binary(
            BinaryOp::Equal,
            Box::new(Node::Symbol(from)),
            Box::new(Node::Symbol(to)),
        );
        Node::Binary(
            BinaryOp::Multiply,
            Box::new(Node::Unary(UnaryOp::Negate, Box::new(same))),
            Box::new(next),
        )
    }
}
