	#: entry inline
	nop
