#: title      A load through a null pointer
# expected: signal SIGSEGV "access to 0x10"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	xor	%eax, %eax
	mov	0x10(%rax), %rcx		/* here */
	ret
