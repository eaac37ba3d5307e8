#: title      A system call of the number -1
# expected: syscall SIGSYS "-1 is the number of no system call"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$-1, %eax
	syscall		/* here */
	ret
