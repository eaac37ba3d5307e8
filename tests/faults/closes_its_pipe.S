#: title      The descriptor of the commands is closed
# expected: tampered "Bad file descriptor"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   close
	xor	%edi, %edi
	mov	$3, %eax
	syscall		/* here */
	ret
