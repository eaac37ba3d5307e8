#: title      A system call by the x32 numbers
# expected: syscall SIGSYS "x32 system call 39"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$0x40000027, %eax
	syscall		/* here */
	ret
