#: title      A fault in the block behind the body
# expected: signal SIGILL "invalid instruction at line"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: entry      inline
	nop
#: after
	ud2		/* here */
