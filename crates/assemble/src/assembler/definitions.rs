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
        let mut id = self.symbols.declared(name);
        let folded = self.fold(value)?;
        let entry = self.symbols.get(id);
        if entry.definition != Definition::Undefined {
            if !redefine || !entry.variable {
                return Err(problem(
                    format!("`{name}` is already defined"),
                    "only what `.set` or `=` defined can be set again",
                ));
            }
            // Uses of a number were replaced by it; uses of an address still point here.
            if !matches!(entry.definition, Definition::Absolute(_)) || entry.used_before {
                id = self.symbols.replace(id);
            }
        } else if entry.used {
            self.symbols.get_mut(id).used_before = true;
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
        entry.set_set_at(origin);
        if let Some(target) = target {
            self.symbols.list(target);
            self.symbols.copy_attributes(id, target);
        }
        Ok(())
    }

    pub(super) fn weakref(&mut self, alias: &str, target: &str) -> Result<(), Problem> {
        let id = self.symbols.named(alias);
        let entry = self.symbols.get(id);
        if entry.definition != Definition::Undefined && entry.weakref().is_none() {
            return Err(problem(
                format!("`{alias}` is already defined"),
                "give the alias a name of its own",
            ));
        }
        self.symbols.weak_alias(id, target);
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
        let size = self.number(size, "the size")?;
        let Ok(size) = u64::try_from(size) else {
            let message = format!("the size {size} is negative: there is no `{name}`");
            self.warn(origin, message, "write a size of 0 or more");
            return Ok(());
        };
        let asked = match align {
            Some(_) if local => {
                return Err(problem(
                    "`.lcomm` takes no alignment",
                    "write `.local` and `.comm`, which does",
                ));
            }
            Some(expr) => self.number(expr, "the alignment")?,
            None => 0,
        };
        if asked < 0 {
            let message = format!("the alignment {asked} is negative: it is left out");
            self.warn(origin, message, "write a power of two");
        }
        let id = self.symbols.declared(name);
        let is_lcomm = local;
        // `.local` before `.comm` makes it what `.lcomm` is.
        let local = local || self.symbols.get(id).is_local;
        let align_given = align.is_some();
        let align = match u64::try_from(asked) {
            Ok(asked @ 1..) => asked,
            _ if local && (align_given || self.symbols.get(id).is_large) => 1,
            // GNU as aligns to the size: up to 16, and in `.bss` down to 8 at most.
            _ if is_lcomm => (size / 2 + 1).next_power_of_two().min(8),
            _ => size.next_power_of_two().min(16),
        };
        if let Definition::Common(common) = &self.symbols.get(id).definition {
            let known = common.0;
            if known != size {
                let message = format!("`{name}` has {known} bytes already, and keeps them");
                self.warn(origin, message, "write the same size");
            }
            return Ok(());
        }
        if local && !align.is_power_of_two() {
            return Err(problem(
                format!("the alignment {align} is not a power of two"),
                "use 1, 2, 4, 8 ...",
            ));
        }
        if self.symbols.get(id).binding == 2 && !local {
            return Err(super::weak_common(name));
        }
        if self.symbols.get(id).definition != Definition::Undefined {
            return Err(problem(
                format!("`{name}` is already defined"),
                "give one of the two another name",
            ));
        }
        if !local {
            let entry = self.symbols.get_mut(id);
            entry.definition = Definition::Common(Box::new((size, align)));
            entry.binding = entry.binding.max(1);
            entry.kinds.say(Kinds::OBJECT);
            return Ok(());
        }
        let back = self.current;
        let bss = match self.symbols.get(id).is_large {
            true => Some(self.large_bss(origin)?),
            false => self.section_names.get(".bss").copied(),
        };
        if let Some(bss) = bss {
            // GNU as has these behind what `.bss` itself holds.
            let number = i64::from(!self.symbols.get(id).is_large);
            self.current = self.stream_of(bss, number);
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
            entry.set_size(Node::Number(size.cast_signed()), origin);
        }
        Ok(())
    }

    /// The section of large data that has no bytes.
    pub(super) fn large_bss(&mut self, origin: Origin) -> Result<u32, Problem> {
        let reference = SectionRef {
            name: ".lbss".into(),
            flags: sequence::SectionFlags::default(),
            subsection: None,
        };
        let stream = self.find(&reference, origin)?;
        Ok(self.streams[stream as usize].section)
    }

    /// The stream that a section statement leads to.
    pub(super) fn find(&mut self, reference: &SectionRef, origin: Origin) -> Result<u32, Problem> {
        let number = match &reference.subsection {
            Some(expr) => self.number(expr, "the subsection")?,
            None => 0,
        };
        let mut doubts = Vec::new();
        let mut state = describe(reference, &mut doubts)?;
        for doubt in doubts {
            self.warn(origin, doubt, "write what is meant behind the flags");
        }
        state.link_at = origin;
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
                if reference.flags.kind.is_some() && state.kind != other.kind {
                    return Err(problem(
                        format!("section `{}` has another type already", reference.name),
                        "leave the type out, or write the same one",
                    ));
                }
                section
            }
            None => self.add_section(state)?,
        };
        Ok(self.stream_of(section, number))
    }

    /// Puts the section into a group, unless it is in one.
    pub(super) fn attach(&mut self, name: &str, origin: Origin) {
        let section = self.section_mut();
        if let Some(group) = &section.group {
            let message = format!("the section is in the group `{group}` already");
            self.warn(origin, message, "leave this out");
            return;
        }
        section.group = Some(name.to_owned());
        section.flags |= crate::section::GROUP;
    }

    pub(super) fn go_to(&mut self, stream: u32) {
        self.previous = Some(self.current);
        self.current = stream;
    }
}
