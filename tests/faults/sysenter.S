#: title      A system call by the other 32-bit door
# expected: syscall SIGSYS "32-bit system call 20"
# AMD CPUs have none in 64-bit code.
# or: signal SIGILL "invalid instruction"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	%rsp, %rbp
	mov	$20, %eax
	sysenter	/* here */
	ret
