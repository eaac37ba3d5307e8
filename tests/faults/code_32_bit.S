#: title      A far return to 32-bit code, and a system call there
# expected: syscall SIGSYS "32-bit system call 20"
# The mov is given in bytes: it is the same in both modes.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	push	$0x23
	lea	1f(%rip), %rax
	push	%rax
	lretq
1:	.byte	0xb8, 20, 0, 0, 0
	int	$0x80		/* here */
