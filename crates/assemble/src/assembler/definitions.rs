//! What gives symbols values, and where statements go.

use sequence::{Expr, Origin, Problem, SectionRef};

use super::Assembler;
use crate::expr::{Folded, Node};
use crate::layout::problem;
use crate::section::describe;
use crate::symbols::{Definition, Kinds};

impl Assembler {
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &Expr,
        redefine: bool,
        origin: Origin,
    ) -> Result<(), Problem> {
        let folded = self.fold(value)?;
        let mut id = self.symbols.named(name);
        let entry = self.symbols.get(id);
        if entry.definition != Definition::Undefined {
            if !redefine || !entry.variable {
                return Err(problem(
                    format!("`{name}` is already defined"),
                    "only what `.set` or `=` defined can be set again",
                ));
            }
            // Uses of a number were replaced by it; uses of an address still point here.
            if !matches!(entry.definition, Definition::Absolute(_)) {
                id = self.symbols.replace(id);
            }
        }
        let mut target = None;
        let definition = match folded {
            Folded::Number(value) => Definition::Absolute(value),
            Folded::Sum {
                plus,
                minus: None,
                addend,
            } => {
                target = Some(plus);
                // An alias of an alias stands for the same: chains stay short.
                let (base, more) = match &self.symbols.get(plus).definition {
                    Definition::Expression(node) if !self.symbols.get(plus).is_forward => {
                        node.alias().unwrap_or((plus, 0))
                    }
                    _ => (plus, 0),
                };
                let sum = Folded::Sum {
                    plus: base,
                    minus: None,
                    addend: addend.wrapping_add(more),
                };
                Definition::Expression(Box::new(sum.into_node()))
            }
            other => Definition::Expression(Box::new(other.into_node())),
        };
        let is_forward = target.is_some_and(|target| {
            let target = self.symbols.get(target);
            target.is_forward
                || matches!(
                    target.definition,
                    Definition::Undefined | Definition::Common(..)
                )
        });
        let entry = self.symbols.get_mut(id);
        entry.variable = redefine;
        entry.definition = definition;
        entry.is_forward = is_forward;
        entry.set_at = origin;
        if let Some(target) = target {
            self.symbols.copy_attributes(id, target);
        }
        Ok(())
    }

    pub(super) fn common(
        &mut self,
        name: &str,
        size: &Expr,
        align: Option<&Expr>,
        local: bool,
        origin: Origin,
    ) -> Result<(), Problem> {
        let size = self.number(size, "the size")?.max(0).cast_unsigned();
        let align = match align {
            Some(expr) => self.number(expr, "the alignment")?.max(1).cast_unsigned(),
            // GNU as aligns to the size: up to 16, and in `.bss` down to 8 at most.
            None if local => (size / 2 + 1).next_power_of_two().min(8),
            None => size.next_power_of_two().min(16),
        };
        if !align.is_power_of_two() {
            return Err(problem(
                format!("the alignment {align} is not a power of two"),
                "use 1, 2, 4, 8 ...",
            ));
        }
        let id = self.symbols.named(name);
        // `.local` before `.comm` makes it what `.lcomm` is.
        let local = local || self.symbols.get(id).is_local;
        if self.symbols.get(id).definition != Definition::Undefined {
            return Err(problem(
                format!("`{name}` is already defined"),
                "give one of the two another name",
            ));
        }
        if !local {
            let entry = self.symbols.get_mut(id);
            entry.definition = Definition::Common(size, align);
            entry.binding = entry.binding.max(1);
            entry.kinds.say(Kinds::OBJECT);
            return Ok(());
        }
        let back = self.current;
        if let Some(&bss) = self.section_names.get(".bss") {
            // GNU as has these behind what `.bss` itself holds.
            self.current = self.stream_of(bss, 1);
            let request = sequence::Align {
                boundary: align,
                fill: None,
                fill_width: 1,
                max_skip: None,
            };
            let result = self
                .align(&request, origin)
                .and_then(|()| self.label(name, origin))
                .and_then(|()| self.space(&Expr::Number(size.cast_signed()), 1, 0, origin));
            self.current = back;
            result?;
            let entry = self.symbols.get_mut(id);
            entry.kinds.say(Kinds::OBJECT);
            entry.size = Some(Box::new(Node::Number(size.cast_signed())));
        }
        Ok(())
    }

    /// The stream that a section statement leads to.
    pub(super) fn find(&mut self, reference: &SectionRef) -> Result<u32, Problem> {
        let number = match &reference.subsection {
            Some(expr) => self.number(expr, "the subsection")?,
            None => 0,
        };
        let mut state = describe(reference)?;
        let joins = |flags: &String| flags.contains('?');
        if state.group.is_none() && reference.flags.flags.as_ref().is_some_and(joins) {
            let current = self.section();
            let (group, is_comdat) = (current.group.clone(), current.is_comdat);
            state.flags |= current.flags & crate::section::GROUP;
            state.group = group;
            state.is_comdat = is_comdat;
        }
        let known = self.section_names.get(state.key().as_str()).copied();
        let section = match known {
            Some(section) => {
                let other = &self.sections[section as usize];
                let differs = state.flags != other.flags || state.entry_size != other.entry_size;
                if reference.flags.flags.is_some() && differs && state.name != ".text" {
                    return Err(problem(
                        format!("section `{}` has other flags already", reference.name),
                        "leave the flags out, or write the same ones",
                    ));
                }
                section
            }
            None => self.add_section(state),
        };
        Ok(self.stream_of(section, number))
    }

    pub(super) fn go_to(&mut self, stream: u32) {
        self.previous = Some(self.current);
        self.current = stream;
    }
}
