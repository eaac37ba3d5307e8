#: title      A body of exactly one line without its return, with a neighbour right behind it
# expected: signal SIGTRAP "it ran out of the end of its code"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    good2
	imul	%rax, %rax
	ret

#: variant    bad
	.rept	15
	imul	%rax, %rax
	.endr
	imul	%rax, %rax /* here */
