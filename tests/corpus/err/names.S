#: baseline old
#: variant  ü
	mov	%ü, %eax
#: variant  ü
	ret
