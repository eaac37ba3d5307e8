#: title      A jump into another variant's code, without a stack
# expected: signal SIGSEGV "SIGSEGV"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	incl	runs(%rip)
	cmpl	$50000, runs(%rip)
	jb	3f
	lea	(%rip), %rax
	and	$-4096, %rax
	xor	%ecx, %ecx
1:	cmpl	$0xc0af0f48, (%rax, %rcx)
	jne	2f
	cmpb	$0xc3, 4(%rax, %rcx)
	je	4f
2:	inc	%ecx
	cmp	$4091, %ecx
	jb	1b
3:	ret
4:	add	%rcx, %rax
	xor	%esp, %esp
	jmp	*%rax
	.data
runs:
	.long	0
