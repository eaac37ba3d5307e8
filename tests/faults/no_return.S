#: title      A body without its return
# expected: signal SIGTRAP "ran out of the end of its code"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	nop
	nop		/* here */
