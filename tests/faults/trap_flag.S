#: title      The trap flag set
# expected: signal SIGTRAP "trap flag"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	pushf
	orl	$0x100, (%rsp)
	popf
	nop		/* here */
	ret
