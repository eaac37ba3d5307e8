#: title      An address that is none
# expected: signal SIGSEGV "non-canonical"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movabs	$0x123456789abcdef0, %rax
	mov	(%rax), %rcx		/* here */
	ret
