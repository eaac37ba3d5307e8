#: title      A system call that is not declared
# expected: syscall SIGSYS "getppid (110) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$110, %eax
	syscall		/* here */
	ret
