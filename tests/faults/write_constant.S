#: title      A store to read-only data
# expected: signal SIGSEGV "may not be accessed"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movl	$1, constant(%rip)		/* here */
	ret
	.section .rodata
constant:
	.long	7
