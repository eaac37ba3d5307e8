#: title      A privileged instruction: hlt
# expected: signal SIGSEGV "privileged"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	hlt		/* here */
	ret
