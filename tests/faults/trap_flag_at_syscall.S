#: title      The trap flag set in front of a system call that is the last but one instruction
# expected: signal SIGTRAP "trap flag"
# The kernel returns behind the call with the flag set, so that the trap comes behind the return.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   getppid
	mov	$110, %eax
	pushf
	orl	$0x100, (%rsp)
	popf /* here */
	syscall
	ret
