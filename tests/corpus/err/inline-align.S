#: entry      inline
#: variant    a
	nop
	.balign	16
	nop
