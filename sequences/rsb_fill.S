#: title      Filling the return stack buffer: 16 or 32 entries, unrolled or looped
#: source     Documentation/admin-guide/hw-vuln/spectre.rst
#: about      Calls that never return fill the buffer with addresses at which an int3 stands; then
#: about      their return addresses are dropped from the stack. The kernel loops over two calls a
#: about      turn and ends with lfence, which keeps a CPU from predicting its way out of the loop.
#: about      The buffer is full of these entries afterwards, so the ret that ends each run and the
#: about      next returns of the caller mispredict; that is part of the figure, as it is part of
#: about      what the kernel pays.
#: baseline   looped-32-lfence

	.macro	fill_unrolled entries
	.rept	\entries
	call	1f
	int3
1:
	.endr
	addq	$8 * \entries, %rsp
	.endm

	.macro	fill_looped entries
	movl	$\entries / 2, %eax
1:	call	2f
	int3
2:	call	3f
	int3
3:	addq	$8 * 2, %rsp
	decl	%eax
	jnz	1b
	.endm

#: variant    looped-32-lfence     the kernel's form
	fill_looped 32
	lfence
	ret

#: variant    looped-32            without the lfence
	fill_looped 32
	ret

#: variant    looped-16-lfence     half the entries
	fill_looped 16
	lfence
	ret

#: variant    looped-16            half the entries, without the lfence
	fill_looped 16
	ret

#: variant    unrolled-32-lfence   32 calls in a row
	fill_unrolled 32
	lfence
	ret

#: variant    unrolled-32          32 calls in a row, without the lfence
	fill_unrolled 32
	ret

#: variant    unrolled-16-lfence   16 calls in a row
	fill_unrolled 16
	lfence
	ret

#: variant    unrolled-16          16 calls in a row, without the lfence
	fill_unrolled 16
	ret
