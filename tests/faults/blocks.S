#: title      A system call that blocks
# expected: timeout "no progress"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   pause
	mov	$34, %eax
	syscall		/* here */
	ret
