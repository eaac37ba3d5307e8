#: title      DF left set
# expected: state "DF set"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	std		/* here */
	ret
