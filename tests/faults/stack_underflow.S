#: title      More pops than pushes, for ever
# expected: signal SIGSEGV "more was popped than pushed"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	pop	%rax		/* here */
	jmp	1b
