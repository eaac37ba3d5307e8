#: title      A fault after twenty thousand runs
# expected: signal SIGILL "invalid instruction"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	incl	runs(%rip)
	cmpl	$20000, runs(%rip)
	jb	1f
	ud2		/* here */
1:	ret
	.data
runs:
	.long	0
