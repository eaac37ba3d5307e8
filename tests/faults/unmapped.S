#: title      A store to where nothing is mapped
# expected: signal SIGSEGV "0x600000000000, which is not mapped"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movabs	$0x600000000000, %rax
	mov	%rcx, (%rax)		/* here */
	ret
