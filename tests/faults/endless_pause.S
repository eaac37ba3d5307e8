#: title      An endless loop of pause
# expected: timeout "no progress"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
1:	pause
	jmp	1b
