#: title      A privileged instruction: a load of a control register
# expected: signal SIGSEGV "privileged"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	%cr3, %rax		/* here */
	ret
