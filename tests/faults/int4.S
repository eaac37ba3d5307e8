#: title      An overflow trap
# expected: signal SIGSEGV "overflow trap"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	nop
	int	$4		/* here */
	nop
	ret
