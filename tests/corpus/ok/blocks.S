#: title      setup, before, body and after; inline code
#: entry      inline
#: between    chained overlap
#: variant    chase
#: setup
	lea	scratch(%rip), %rax
	mov	%rax, (%rax)
#: body
	mov	(%rax), %rax
#: variant    around
#: before
	nop
#: body
	imul	%rax, %rax
#: after
	nop
