#: variant    a
	.data
	mov	$1, %eax
	ret
