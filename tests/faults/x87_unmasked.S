#: title      An x87 exception unmasked and pending
# expected: state "x87 control word"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	fnstcw	-8(%rsp)
	andw	$0xfff8, -8(%rsp)
	fldcw	-8(%rsp)		/* here */
	fld1
	fldz
	fdivrp
	ret
