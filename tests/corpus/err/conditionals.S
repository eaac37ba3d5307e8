#: variant    a
	.if	1
	ret
	.rept	2
	nop
