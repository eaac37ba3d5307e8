#: title      A system call by the 32-bit door
# expected: syscall SIGSYS "32-bit system call 20"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$20, %eax
	int	$0x80		/* here */
	ret
