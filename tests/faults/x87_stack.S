#: title      A value left on the x87 stack
# expected: state "values on its stack"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	fld1		/* here */
	ret
