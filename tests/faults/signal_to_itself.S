#: title      A deadly signal to itself
# expected: exit SIGTERM "SIGTERM"
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
