#: title      Another gs base
# expected: state "gs base"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: needs      fsgsbase
	mov	$64, %eax
	wrgsbase	%rax		/* here */
	ret
