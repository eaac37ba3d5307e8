#: title      A return with the stack pointer eight bytes too high
# expected: stack "+8 bytes"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	pop	%rax
	add	$8, %rsp
	jmp	*%rax
