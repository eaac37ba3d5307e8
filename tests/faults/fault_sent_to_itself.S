#: title      The signal of a fault that is none, to itself
# expected: signal SIGSEGV "which it sent to itself"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   kill
	xor	%edi, %edi
	mov	$11, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
