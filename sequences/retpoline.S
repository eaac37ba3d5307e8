#: title      Indirect calls: plain, through a retpoline, behind lfence
#: source     Documentation/admin-guide/hw-vuln/spectre.rst
#: source     https://support.google.com/faqs/answer/7625886
#: about      One call per run to one of TARGETS functions that do the same little work. Each run
#: about      draws the function from a random stream and loads its address from a table, alike in
#: about      every variant; ORDER says whether the draws repeat every 16 runs (the first 16 of the
#: about      stream over and over, which a history-based predictor learns) or go through all 16384.
#: about      direct draws and loads like the others, but always calls the first function: it is
#: about      what a call costs that needs no prediction of its target.
#: about      thunk-jump is the tail call: the function returns straight to the caller, so it has
#: about      one call and one ret fewer than the rest.
#: param      TARGETS 1 4 16
#: param      ORDER repeat random
#: random     picks 16384 16
#: baseline   direct

	.if	ORDER == ORDER_random
	.set	PERIOD, 16384
	.else
	.set	PERIOD, 16
	.endif

	.data
	.balign	64
turn:	.long	0
	.balign	64
functions:
	.set	number, 0
	.rept	16
	.quad	function_0 + 64 * number
	.set	number, number + 1
	.endr
	.text

/*
 * Leaves the address of this run's function in %rax. The place in the stream is kept in memory:
 * registers do not survive from run to run in every context.
 */
	.macro	draw
	movl	turn, %ecx
	leal	1(%rcx), %edx
	andl	$PERIOD - 1, %edx
	movl	%edx, turn
	movzbl	picks(%rcx), %ecx
	andl	$TARGETS - 1, %ecx
	movq	functions(, %rcx, 8), %rax
	.endm

/* Sixteen functions, a line each, so that none shares its prediction with the next. */
	.macro	functions_follow
	.balign	64, 0xcc
function_0:
	.rept	16
	leal	1(%rdi), %esi
	ret
	.balign	64, 0xcc
	.endr
	.endm

/*
 * The call pushes an address that only a mispredicting return would go to; there an int3 stops
 * it. The real target then takes that address's place and the ret goes to it.
 */
	.macro	retpoline_follows
	.balign	32, 0xcc
retpoline_rax:
	call	1f
	int3
1:	movq	%rax, (%rsp)
	ret
	int3
	.endm

#: variant    direct       call to a fixed function
	draw
	call	function_0
	ret
	functions_follow

#: variant    indirect     call *%rax
	draw
	call	*%rax
	ret
	functions_follow

#: variant    thunk-call   call a retpoline
	draw
	call	retpoline_rax
	ret
	retpoline_follows
	functions_follow

#: variant    thunk-jump   jmp to a retpoline, as in a tail call
	draw
	jmp	retpoline_rax
	retpoline_follows
	functions_follow

#: variant    lfence-jmp   call a thunk of lfence; jmp *%rax
	draw
	call	lfence_rax
	ret
	.balign	32, 0xcc
lfence_rax:
	lfence
	jmp	*%rax
	int3
	functions_follow
