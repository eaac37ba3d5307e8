#: title      A store to its own code
# expected: signal SIGSEGV "may not be accessed"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	lea	1b(%rip), %rax
	mov	%eax, (%rax)		/* here */
	ret
