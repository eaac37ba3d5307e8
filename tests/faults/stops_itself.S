#: title      SIGSTOP to itself
# expected: timeout "no progress"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   kill
	xor	%edi, %edi
	mov	$19, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
