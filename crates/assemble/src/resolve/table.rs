//! The table of symbols.

use std::collections::HashMap;

use super::Resolver;
use crate::code::{Code, Name, SectionId, Symbol, SymbolPlace};
use crate::expr::{ExprError, THREAD_LOCAL, Worth, node_worth, symbol_worth};
use crate::layout::{Placed, problem};
use crate::section::TLS;
use crate::symbols::{Definition, UNLISTED, is_local_name};

/// `STT_FILE`
const FILE: u8 = 4;
/// `STB_GNU_UNIQUE`
const UNIQUE: u8 = 10;

impl Resolver<'_> {
    /// The order of symbols in an object: as GNU as lists them, then those that are listed because a relocation
    /// names them, then those that nothing names.
    pub(super) fn symbol_order(&self, code: &Code) -> Vec<u32> {
        let count = u32::try_from(code.symbols.len()).unwrap_or(u32::MAX);
        let mut turns = vec![0; code.symbols.len()];
        // Of sections with one name, the first has the name's place.
        turns[..code.sections.len()].fill(UNLISTED);
        for (id, entry) in self.assembler.symbols.iter() {
            let index = match entry.definition {
                Definition::Label(place) if entry.is_section => {
                    self.assembler.streams[place.stream as usize].section
                }
                _ => self.indices[id.0 as usize],
            };
            if let Some(turn) = turns.get_mut(index as usize) {
                *turn = entry.listed;
            }
        }
        let mut order: Vec<u32> = (0..count)
            .filter(|&index| turns[index as usize] != UNLISTED)
            .collect();
        order.sort_by_key(|&index| turns[index as usize]);
        for section in &code.sections {
            for &index in &section.relocation_order {
                let symbol = section.relocations[index as usize].symbol;
                if std::mem::replace(&mut turns[symbol as usize], 0) == UNLISTED {
                    order.push(symbol);
                }
            }
        }
        order.extend((0..count).filter(|&index| turns[index as usize] == UNLISTED));
        order
    }

    /// All symbols: those of sections first.
    pub(super) fn symbols(&mut self, problems: &mut Vec<Placed>) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self
            .assembler
            .sections
            .iter()
            .enumerate()
            .map(|(index, state)| Symbol {
                name: state.name.as_str().into(),
                place: SymbolPlace::In(SectionId(u32::try_from(index).unwrap_or(u32::MAX)), 0),
                binding: 0,
                kind: 3,
                size: 0,
                visibility: 0,
            })
            .collect();
        let files = self.assembler.file_names.iter().map(|name| Symbol {
            name: name.as_str().into(),
            place: SymbolPlace::Absolute(0),
            binding: 0,
            kind: FILE,
            size: 0,
            visibility: 0,
        });
        symbols.extend(files);
        let mut numbers: HashMap<u32, Name> = HashMap::new();
        for (id, entry) in self.assembler.symbols.iter() {
            let name = self.assembler.symbols.name(id);
            let named = !name.is_empty() && self.assembler.symbols.is_current(id);
            let undefined = entry.definition == Definition::Undefined;
            let unused_weak = undefined
                && !entry.used
                && (entry.binding == 2 || (entry.binding == 0 && name.starts_with(".L")));
            if !(named || entry.numeric().is_some()) || unused_weak {
                continue;
            }
            let is_unused = entry.weakref().is_some() || (entry.weak_only && !entry.used);
            // Every sequence file has a seed, and few use it.
            let is_seed = name == "SEED" && !entry.used && entry.set_at().line == 0;
            if is_unused || is_seed || entry.is_section || undefined && entry.numeric().is_some() {
                continue;
            }
            let place = match &entry.definition {
                Definition::Common(common) => {
                    let (size, align) = **common;
                    if entry.is_large {
                        SymbolPlace::LargeCommon(size, align)
                    } else {
                        SymbolPlace::Common(size, align)
                    }
                }
                _ => match symbol_worth(&self.assembler.symbols, self.layout, id, 0) {
                    Ok(Worth::Absolute(value)) => SymbolPlace::Absolute(value),
                    Ok(Worth::Address {
                        section, offset, ..
                    }) => SymbolPlace::In(SectionId(section), offset.cast_unsigned()),
                    Ok(Worth::External(..)) => SymbolPlace::Undefined,
                    Err(ExprError(message, help)) => {
                        problems.push((entry.set_at(), problem(message, help)));
                        SymbolPlace::Undefined
                    }
                },
            };
            if let Definition::Expression(node) = &entry.definition
                && let Some((base, _)) = node.alias()
                && let Definition::Common(..) = self.assembler.symbols.get(base).definition
            {
                let message = format!("`{}` cannot stand for a common symbol", name);
                let problem = problem(message, "define the symbol in `.bss`");
                problems.push((entry.set_at(), problem));
            }
            if entry.kinds.is_mistaken() {
                let message = format!("`{}` is a function, and no data of a thread", name);
                let problem = problem(message, "leave `.type` out, or use another relocation");
                problems.push((entry.set_at(), problem));
            }
            // Relocations go to what such a symbol stands for: there is nothing left of itself.
            if let Definition::Expression(node) = &entry.definition
                && (place == SymbolPlace::Undefined
                    || (node.alias().is_none() && matches!(place, SymbolPlace::In(..))))
            {
                continue;
            }
            let size = entry.size().and_then(|(node, at)| {
                match node_worth(&self.assembler.symbols, self.layout, node, 0) {
                    Ok(Worth::Absolute(size)) => Some(size.cast_unsigned()),
                    _ => {
                        let message = format!("the size of `{}` is no number", name);
                        let help = "write a number, or the difference of two labels of one section";
                        problems.push((*at, problem(message, help)));
                        None
                    }
                }
            });
            let size = match (&entry.definition, size) {
                (Definition::Common(common), None) => common.0,
                (_, size) => size.unwrap_or(0),
            };
            self.indices[id.0 as usize] = u32::try_from(symbols.len()).unwrap_or(u32::MAX);
            symbols.push(Symbol {
                name: match entry.numeric() {
                    // Few numbers have many labels.
                    Some(number) => numbers
                        .entry(number)
                        .or_insert_with(|| number.to_string().as_str().into())
                        .clone(),
                    None => {
                        let (start, length) = entry.name;
                        Name::part(&self.names, start, length)
                    }
                },
                place,
                // What is not here is global to ELF, unless it is weak; a local name is there only if a
                // relocation needs it.
                binding: if undefined && entry.binding == 0 && is_local_name(name) {
                    0
                } else if undefined {
                    entry.binding.max(1)
                } else if entry.kinds.is_unique() && matches!(place, SymbolPlace::In(..)) {
                    UNIQUE
                } else {
                    entry.binding
                },
                kind: match place {
                    SymbolPlace::In(section, _)
                        if self.assembler.sections[section.0 as usize].flags & TLS != 0 =>
                    {
                        THREAD_LOCAL
                    }
                    _ => entry.kinds.elf(),
                },
                size,
                visibility: entry.visibility,
            });
        }
        symbols
    }
}
