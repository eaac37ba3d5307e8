#: title      A deadly signal to its process group
# expected: exit SIGKILL "SIGKILL"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   kill
	xor	%edi, %edi
	mov	$9, %esi
	mov	$62, %eax
	syscall		/* here */
	ret
