#: title      A debug exception, asked for
# expected: signal SIGTRAP "debug exception"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	nop
	int1		/* here */
	nop
	ret
