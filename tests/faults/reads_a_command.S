#: title      A read of the worker's pipe
# expected: syscall SIGSYS "read (0) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	xor	%edi, %edi
	lea	-64(%rsp), %rsi
	mov	$12, %edx
	xor	%eax, %eax
	syscall		/* here */
	ret
