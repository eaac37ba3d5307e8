#: title      An execve
# expected: syscall SIGSYS "execve (59) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	lea	path(%rip), %rdi
	xor	%esi, %esi
	xor	%edx, %edx
	mov	$59, %eax
	syscall		/* here */
	ret
	.section .rodata
path:
	.asciz	"/bin/true"
