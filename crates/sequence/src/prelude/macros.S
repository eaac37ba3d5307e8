# The kernel's words that are macros of the assembler, written from what they mean there (Linux
# 6.12 and later). This text is not preprocessed. A macro is looked for here only where the file
# has none of that name; labels carry \@, for numeric ones could be the user's.
#
# ALTERNATIVE puts the chosen code in place and all others in .altinstr_replacement, where they are
# measured, and pads the chosen code to the longest with what the kernel writes over its padding: one
# NOP of up to 11 bytes, that of 9 with a CS prefix, or a jump over more. The chosen one is the last
# whose feature is in force, as the kernel patches in order. In the kernel the old code is assembled where
# the new one goes, so that its jumps are as short there (.placed_as, for this text alone) as when it stays.
# The new code is assembled among the replacements: what jumps out of it is long (.brought_from), and where it
# is put in place the kernel makes two bytes of a jmp that reaches, and INT3s of the three behind it.

.macro __ALT_PAD size
.ifknown \size
.if (\size) > 11
	jmp .Lalt_over\@
	.skip (\size) - 2, 0xcc
.Lalt_over\@:
.else
	.skip -((\size) == 9), 0x2e
	.nops -((\size) > 0) * (\size) + ((\size) == 9), 11
.endif
.else
	.skip -((\size) == 9), 0x2e
	.nops -((\size) > 0) * (\size) + ((\size) == 9), 11
.endif
.endm

.macro ALTERNATIVE oldinstr, newinstr, ft_flags
.if (((\ft_flags) & 0xffff) != 0) != (((\ft_flags) & 0x10000) != 0)
.Lalt_a\@:
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr
.brought_from
.Lalt_b\@:
.pushsection .altinstr_replacement, "ax"
.Lalt_c\@:
.placed_as .Lalt_a\@, .Lalt_c\@
	\oldinstr
.placed_as
.Lalt_d\@:
.popsection
.else
.Lalt_a\@:
	\oldinstr
.Lalt_b\@:
.pushsection .altinstr_replacement, "ax"
.Lalt_c\@:
	\newinstr
.Lalt_d\@:
.popsection
.endif
	__ALT_PAD "(.Lalt_d\@ - .Lalt_c\@) - (.Lalt_b\@ - .Lalt_a\@)"
.endm

.macro ALTERNATIVE_2 oldinstr, newinstr1, ft_flags1, newinstr2, ft_flags2
.set .Lalt_choice\@, 0
.if (((\ft_flags1) & 0xffff) != 0) != (((\ft_flags1) & 0x10000) != 0)
.set .Lalt_choice\@, 1
.endif
.if (((\ft_flags2) & 0xffff) != 0) != (((\ft_flags2) & 0x10000) != 0)
.set .Lalt_choice\@, 2
.endif
.Lalt_a\@:
.if .Lalt_choice\@ == 0
	\oldinstr
.elseif .Lalt_choice\@ == 1
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr1
.else
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr2
.endif
.brought_from
.Lalt_b\@:
.pushsection .altinstr_replacement, "ax"
.Lalt_c\@:
.if .Lalt_choice\@ != 0
.placed_as .Lalt_a\@, .Lalt_c\@
	\oldinstr
.placed_as
.else
	\newinstr1
.endif
.Lalt_d\@:
.if .Lalt_choice\@ != 2
	\newinstr2
.else
	\newinstr1
.endif
.Lalt_e\@:
.popsection
	__ALT_PAD "((.Lalt_d\@ - .Lalt_c\@) + (((.Lalt_e\@ - .Lalt_d\@) - (.Lalt_d\@ - .Lalt_c\@)) & ((.Lalt_d\@ - .Lalt_c\@) < (.Lalt_e\@ - .Lalt_d\@)))) - (.Lalt_b\@ - .Lalt_a\@)"
.endm

.macro ALTERNATIVE_3 oldinstr, newinstr1, ft_flags1, newinstr2, ft_flags2, newinstr3, ft_flags3
.set .Lalt_choice\@, 0
.if (((\ft_flags1) & 0xffff) != 0) != (((\ft_flags1) & 0x10000) != 0)
.set .Lalt_choice\@, 1
.endif
.if (((\ft_flags2) & 0xffff) != 0) != (((\ft_flags2) & 0x10000) != 0)
.set .Lalt_choice\@, 2
.endif
.if (((\ft_flags3) & 0xffff) != 0) != (((\ft_flags3) & 0x10000) != 0)
.set .Lalt_choice\@, 3
.endif
.Lalt_a\@:
.if .Lalt_choice\@ == 0
	\oldinstr
.elseif .Lalt_choice\@ == 1
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr1
.elseif .Lalt_choice\@ == 2
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr2
.else
.brought_from .Lalt_a\@, .Lalt_b\@
	\newinstr3
.endif
.brought_from
.Lalt_b\@:
.pushsection .altinstr_replacement, "ax"
.Lalt_c\@:
.if .Lalt_choice\@ != 0
.placed_as .Lalt_a\@, .Lalt_c\@
	\oldinstr
.placed_as
.else
	\newinstr1
.endif
.Lalt_d\@:
.if .Lalt_choice\@ != 2
	\newinstr2
.else
	\newinstr1
.endif
.Lalt_e\@:
.if .Lalt_choice\@ != 3
	\newinstr3
.else
	\newinstr1
.endif
.Lalt_f\@:
.popsection
	__ALT_PAD "(((.Lalt_d\@ - .Lalt_c\@) + (((.Lalt_e\@ - .Lalt_d\@) - (.Lalt_d\@ - .Lalt_c\@)) & ((.Lalt_d\@ - .Lalt_c\@) < (.Lalt_e\@ - .Lalt_d\@)))) + (((.Lalt_f\@ - .Lalt_e\@) - ((.Lalt_d\@ - .Lalt_c\@) + (((.Lalt_e\@ - .Lalt_d\@) - (.Lalt_d\@ - .Lalt_c\@)) & ((.Lalt_d\@ - .Lalt_c\@) < (.Lalt_e\@ - .Lalt_d\@))))) & (((.Lalt_d\@ - .Lalt_c\@) + (((.Lalt_e\@ - .Lalt_d\@) - (.Lalt_d\@ - .Lalt_c\@)) & ((.Lalt_d\@ - .Lalt_c\@) < (.Lalt_e\@ - .Lalt_d\@)))) < (.Lalt_f\@ - .Lalt_e\@)))) - (.Lalt_b\@ - .Lalt_a\@)"
.endm

# What the patched kernel has where the source calls a retpoline thunk. The higher registers take
# a prefix, so that five bytes and six are enough for each form.
.macro __CS_PREFIX reg:req
.irp high, r8, r9, r10, r11, r12, r13, r14, r15
.ifc \high, \reg
	.byte 0x2e
.endif
.endr
.endm

.macro CALL_NOSPEC reg:req
.if X86_FEATURE_RETPOLINE_LFENCE
	lfence
	call *%\reg
.elseif X86_FEATURE_RETPOLINE
	__CS_PREFIX \reg
	call __x86_indirect_thunk_\reg
.else
	call *%\reg
	.nops 3, 8
.endif
.endm

.macro JMP_NOSPEC reg:req
.if X86_FEATURE_RETPOLINE_LFENCE
	lfence
	jmp *%\reg
.elseif X86_FEATURE_RETPOLINE
	__CS_PREFIX \reg
	jmp __x86_indirect_thunk_\reg
.else
	jmp *%\reg
	int3
	.nops 2, 8
.endif
.endm

.macro FILL_RETURN_BUFFER reg:req nr:req ftr:req ftr2=0
.if (((\ftr2) & 0xffff) != 0) != (((\ftr2) & 0x10000) != 0)
	nop
	nop
	call .Lrsb_one\@
	int3
.Lrsb_one\@:
	add $8, %rsp
	lfence
.elseif (((\ftr) & 0xffff) != 0) != (((\ftr) & 0x10000) != 0)
	mov $(\nr / 2), \reg
.Lrsb_loop\@:
	call .Lrsb_two\@
	int3
.Lrsb_two\@:
	call .Lrsb_three\@
	int3
.Lrsb_three\@:
	add $16, %rsp
	dec \reg
	jnz .Lrsb_loop\@
	lfence
.else
	jmp .Lrsb_skip\@
.Lrsb_a\@:
.pushsection .altinstr_replacement, "ax"
.Lrsb_c\@:
	mov $(\nr / 2), \reg
.Lrsb_loop\@:
	call .Lrsb_two\@
	int3
.Lrsb_two\@:
	call .Lrsb_three\@
	int3
.Lrsb_three\@:
	add $16, %rsp
	dec \reg
	jnz .Lrsb_loop\@
	lfence
.Lrsb_d\@:
.popsection
	.skip (.Lrsb_d\@ - .Lrsb_c\@) - 2, 0xcc
.Lrsb_skip\@:
.endif
.endm

.macro CLEAR_BRANCH_HISTORY
	ALTERNATIVE "", "call clear_bhb_loop", X86_FEATURE_CLEAR_BHB_LOOP
.endm

.macro CLEAR_BRANCH_HISTORY_VMEXIT
	ALTERNATIVE "", "call clear_bhb_loop", X86_FEATURE_CLEAR_BHB_VMEXIT
.endm

.macro CLEAR_CPU_BUFFERS
	ALTERNATIVE "", "verw mds_verw_sel(%rip)", X86_FEATURE_CLEAR_CPU_BUF
.endm

.macro UNTRAIN_RET
	ALTERNATIVE_2 "", "call entry_untrain_ret", X86_FEATURE_UNRET, "call entry_ibpb", X86_FEATURE_ENTRY_IBPB
.endm

.macro PUSH_REGS rdx=%rdx rcx=%rcx rax=%rax save_ret=0 unwind_hint=1
.if \save_ret
	pushq %rsi
	movq 8(%rsp), %rsi
	movq %rdi, 8(%rsp)
.else
	pushq %rdi
	pushq %rsi
.endif
	pushq \rdx
	pushq \rcx
	pushq \rax
.irp reg, r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15
	pushq %\reg
.endr
.if \save_ret
	pushq %rsi
.endif
.endm

.macro CLEAR_REGS clear_bp=1
.irp reg, esi, edx, ecx, r8d, r9d, r10d, r11d, ebx
	xorl %\reg, %\reg
.endr
.if \clear_bp
	xorl %ebp, %ebp
.endif
.irp reg, r12d, r13d, r14d, r15d
	xorl %\reg, %\reg
.endr
.endm

.macro PUSH_AND_CLEAR_REGS rdx=%rdx rcx=%rcx rax=%rax save_ret=0 clear_bp=1 unwind_hint=1
	PUSH_REGS rdx=\rdx, rcx=\rcx, rax=\rax, save_ret=\save_ret
	CLEAR_REGS clear_bp=\clear_bp
.endm

.macro POP_REGS pop_rdi=1
.irp reg, r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi
	popq %\reg
.endr
.if \pop_rdi
	popq %rdi
.endif
.endm

.macro FRAME_BEGIN
	pushq %rbp
	movq %rsp, %rbp
.endm

.macro FRAME_END
	popq %rbp
.endm
