#: title      A stack that grows for ever
# expected: signal SIGSEGV "it overflowed"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	push	%rax		/* here */
	jmp	1b
