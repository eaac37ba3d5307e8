#: variant    a
here:	nop
here:	nop
	jmp	1f
	.balign	3
	ret
