#: title      An x87 exception that is taken
# expected: signal SIGFPE "floating-point"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	fnstcw	-8(%rsp)
	andw	$0xfff8, -8(%rsp)
	fldcw	-8(%rsp)
	fld1
	fldz
	fdivrp
	fwait		/* here */
	ret
