#: title      A breakpoint
# expected: signal SIGTRAP "breakpoint"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	nop
	int3		/* here */
	ret
