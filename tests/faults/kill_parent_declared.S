#: title      A signal to the parent, with kill declared
# expected: syscall SIGSYS "only to itself"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   getppid kill
	mov	$110, %eax
	syscall
	mov	%eax, %edi
	mov	$9, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
