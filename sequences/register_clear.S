#: title      Saving, clearing and restoring the registers at entry
#: source     linuxppc-dev, syscall wrappers and register clearing (powerpc, August 2022)
#: about      Entry pushes 15 registers, and may clear 13 of them (all but %rdi and %rax, which it
#: about      sets itself), so that user values do not reach speculated kernel code. Clearing is
#: about      cheap on a superscalar core; in which order is the question here.
#: about      The first three drop what they saved; restore pops it. The handler forms save, call a
#: about      handler that adds up six arguments, and restore: args takes them in registers, which
#: about      then cannot have been cleared; pt-regs reads them from the saved registers, all others
#: about      cleared.
#: baseline   push

/* In the order of struct pt_regs from its end, which is how the kernel pushes them. */
	.macro	push_registers
	.irp	reg, rdi, rsi, rdx, rcx, rax, r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15
	pushq	%\reg
	.endr
	.endm

	.macro	pop_registers
	.irp	reg, r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi
	popq	%\reg
	.endr
	.endm

	.macro	clear_registers
	.irp	reg, esi, edx, ecx, r8d, r9d, r10d, r11d, ebx, ebp, r12d, r13d, r14d, r15d
	xorl	%\reg, %\reg
	.endr
	.endm

	.macro	push_and_clear reg, low
	pushq	%\reg
	xorl	%\low, %\low
	.endm

#: variant    push              pushes only
	push_registers
	addq	$15 * 8, %rsp
	ret

#: variant    push-xor          each cleared right after its push
	pushq	%rdi
	push_and_clear rsi, esi
	push_and_clear rdx, edx
	push_and_clear rcx, ecx
	pushq	%rax
	push_and_clear r8, r8d
	push_and_clear r9, r9d
	push_and_clear r10, r10d
	push_and_clear r11, r11d
	push_and_clear rbx, ebx
	push_and_clear rbp, ebp
	push_and_clear r12, r12d
	push_and_clear r13, r13d
	push_and_clear r14, r14d
	push_and_clear r15, r15d
	addq	$15 * 8, %rsp
	ret

#: variant    push-then-xor     all pushed, then all cleared
	push_registers
	clear_registers
	addq	$15 * 8, %rsp
	ret

#: variant    restore           pushed, cleared, popped
	push_registers
	clear_registers
	pop_registers
	ret

#: variant    handler-args      handler takes registers, nothing cleared
	push_registers
	movq	%r10, %rcx
	call	handler
	pop_registers
	ret
	.balign	16, 0xcc
handler:
	leaq	(%rdi, %rsi), %rax
	addq	%rdx, %rax
	addq	%rcx, %rax
	addq	%r8, %rax
	addq	%r9, %rax
	ret

#: variant    handler-pt-regs   all cleared, handler reads the saved registers
	push_registers
	clear_registers
	movq	%rsp, %rdi
	call	handler
	pop_registers
	ret
	.balign	16, 0xcc
/* Offsets of di, si, dx, r10, r8 and r9 in what push_registers leaves. */
handler:
	movq	14 * 8(%rdi), %rax
	addq	13 * 8(%rdi), %rax
	addq	12 * 8(%rdi), %rax
	addq	7 * 8(%rdi), %rax
	addq	9 * 8(%rdi), %rax
	addq	8 * 8(%rdi), %rax
	ret
