#: title      A deadly signal to itself
# expected: signal SIGTERM "which it sent to itself"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   getpid kill
	mov	$39, %eax
	syscall
	mov	%eax, %edi
	mov	$15, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
