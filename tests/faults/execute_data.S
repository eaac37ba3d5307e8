#: title      A jump into data, which no page lets run
# expected: signal SIGSEGV "last instruction inside"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	lea	code(%rip), %rax
	jmp	*%rax		/* here */
	.data
code:
	ret
