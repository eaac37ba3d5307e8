#: title      MXCSR with an exception unmasked
# expected: state "MXCSR"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	stmxcsr	-8(%rsp)
	andl	$0xfffffdff, -8(%rsp)
	ldmxcsr	-8(%rsp)		/* here */
	ret
