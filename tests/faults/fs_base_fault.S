#: title      A fault while the fs base is nowhere
# expected: signal SIGSEGV "access to 0x0"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: needs      fsgsbase
	xor	%eax, %eax
	wrfsbase	%rax
	mov	(%rax), %rcx		/* here */
	ret
