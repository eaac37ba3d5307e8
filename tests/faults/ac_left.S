#: title      AC left set
# expected: state "AC set"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	pushf
	orl	$0x40000, (%rsp)
	popf		/* here */
	ret
