#: title      A misaligned load with AC set
# expected: signal SIGBUS "alignment check"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	pushf
	orl	$0x40000, (%rsp)
	popf
	mov	1(%rsp), %eax		/* here */
	ret
