#: title      An instruction that is invalid by definition
# expected: signal SIGILL "invalid instruction"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	ud2		/* here */
