#: title      System-call dispatch: compare tree or table
#: source     linux-kernel, system-call dispatch behind a static key (x86/syscall, October 2026)
#: about      From a number to its handler among 512. tree is what a compiler makes of the switch
#: about      where retpolines forbid it a jump table: nine compares and branches, then a direct
#: about      jmp. table calls through a pointer; table-retpoline does so through a retpoline.
#: about      The static key is code that is patched at run time: off, a 2-byte NOP before the tree;
#: about      on, a jmp past it to the call through the table (itself patched from a retpoline to a
#: about      plain indirect call where no retpolines are in force).
#: about      MIX is the workload: always the same number, eight numbers in random order, or all
#: about      512 at random. Each run takes a number from the same stream in the same way, checks its
#: about      bound and masks it, as the kernel does, whatever the mix and the variant.
#: param      MIX one eight random
#: random.w   draws 16384 512
#: baseline   tree

	.if	MIX == MIX_one
	.set	KINDS, 1
	.elseif	MIX == MIX_eight
	.set	KINDS, 8
	.else
	.set	KINDS, 512
	.endif

	.data
	.balign	64
turn:	.long	0
	.balign	64
/* What a draw below KINDS stands for; getppid alone, or it among seven other frequent numbers. */
numbers:
	.if	MIX == MIX_random
	.set	number, 0
	.rept	512
	.word	number
	.set	number, number + 1
	.endr
	.else
	.word	110, 0, 1, 202, 257, 232, 9, 3
	.endif

	.section .rodata
	.balign	64
handlers:
	.set	number, 0
	.rept	512
	.quad	handler_0 + 16 * number
	.set	number, number + 1
	.endr
	.text

/* Leaves a number in %eax. The place in the stream is kept in memory, where it survives. */
	.macro	draw
	movl	turn, %ecx
	leal	1(%rcx), %edx
	andl	$16384 - 1, %edx
	movl	%edx, turn
	movzwl	draws(, %rcx, 2), %ecx
	andl	$KINDS - 1, %ecx
	movzwl	numbers(, %rcx, 2), %eax
	cmpl	$512, %eax
	jae	.Lno_such_call
	cmpq	$512, %rax
	sbbq	%rcx, %rcx
	andl	%ecx, %eax
	.endm

/* Halves the numbers from low on until one is left. */
	.macro	tree low, span
	.if	\span == 1
	jmp	handler_0 + 16 * (\low)
	.else
	cmpl	$\low+\span/2, %eax
	jae	.Lupper\@
	tree	\low, \span/2
.Lupper\@:
	tree	\low+\span/2, \span/2
	.endif
	.endm

	.macro	handlers_follow
.Lno_such_call:
	movl	$-38, %eax
	ret
	.balign	64, 0xcc
handler_0:
	.rept	512
	leal	1(%rdi), %eax
	ret
	.balign	16, 0xcc
	.endr
	.endm

/* What stands behind the key; both of its states have all of it. */
	.macro	keyed_dispatch
	call	dispatch
	ret
.Ltable:
	call	*handlers(, %rax, 8)
	ret
dispatch:
	tree	0, 512
	handlers_follow
	.endm

#: variant    tree              compares and branches
	draw
	call	dispatch
	ret
dispatch:
	tree	0, 512
	handlers_follow

#: variant    table             call *handlers(,%rax,8)
	draw
	call	*handlers(, %rax, 8)
	ret
	handlers_follow

#: variant    table-retpoline   the same through a retpoline
	draw
	movq	handlers(, %rax, 8), %rax
	call	retpoline_rax
	ret
	.balign	32, 0xcc
retpoline_rax:
	call	1f
	int3
1:	movq	%rax, (%rsp)
	ret
	int3
	handlers_follow

#: variant    key-off           key off: NOP, then the tree
	draw
	.nops	2
	keyed_dispatch

#: variant    key-on            key on: jmp past the tree to the table
	draw
	jmp	.Ltable
	keyed_dispatch
