#: title      A vector division by zero with that exception unmasked
# expected: signal SIGFPE "floating-point"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	stmxcsr	-8(%rsp)
	andl	$0xfffffdff, -8(%rsp)
	ldmxcsr	-8(%rsp)
	xorps	%xmm0, %xmm0
	mov	$1, %eax
	cvtsi2ss	%eax, %xmm1
	divss	%xmm0, %xmm1		/* here */
	ret
