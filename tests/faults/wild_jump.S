#: title      A jump to where nothing is mapped
# expected: signal SIGSEGV "last instruction inside"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$0x1000, %eax
	jmp	*%rax		/* here */
