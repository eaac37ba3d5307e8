#: title      A jump to the call that called it, for ever
# expected: timeout "no progress"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	pop	%rax
	sub	$7, %rax
	jmp	*%rax
