#: title      A setup that returns
# expected: signal SIGSEGV "returned from where nothing had called it"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: setup
	nop
	ret		/* here */
#: body
	nop
	ret
