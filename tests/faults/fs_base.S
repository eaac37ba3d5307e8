#: title      Another fs base
# expected: state "fs base"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: needs      fsgsbase
	mov	$64, %eax
	wrfsbase	%rax		/* here */
	ret
