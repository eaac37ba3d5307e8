#: title      A fork
# expected: syscall SIGSYS "fork (57) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$57, %eax
	syscall		/* here */
	ret
