#: title      A signal to the parent, whose number it asks for
# expected: syscall SIGSYS "kill (62) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   getppid
	mov	$110, %eax
	syscall
	mov	%eax, %edi
	mov	$9, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
