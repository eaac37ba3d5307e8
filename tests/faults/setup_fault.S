#: title      A fault in the setup
# expected: signal SIGSEGV "in its setup"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: setup
	xor	%eax, %eax
	mov	(%rax), %rcx		/* here */
#: body
	ret
