#: title      An endless loop
# expected: timeout "no progress"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	jmp	1b		/* here */
