#: title      A function that calls itself for ever
# expected: signal SIGSEGV "it overflowed"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	call	1b		/* here */
	ret
