#: title      Planted differences: a copy, 2 % and 8 % more of a dependent chain
#: about      Ten turns of five dependent multiplications, 150 cycles; a copy of it elsewhere in the
#: about      file; one (2 %) and four (8 %) multiplications more behind the loop.
#: baseline   base

	.macro	body
	movl	$10, %ecx
1:	.rept	5
	imul	%rax, %rax
	.endr
	jmp	2f
	nop
2:	sub	$1, %ecx
	jnz	1b
	.endm

#: variant    base     150 cycles
	body
	ret

#: variant    two      2 % more
	body
	imul	%rax, %rax
	ret

#: variant    eight    8 % more
	body
	.rept	4
	imul	%rax, %rax
	.endr
	ret

#: variant    copy     the first once more
	body
	ret
