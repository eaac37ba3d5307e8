#: title      A division by zero
# expected: signal SIGFPE "divide error"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	xor	%ecx, %ecx
	div	%ecx		/* here */
	ret
