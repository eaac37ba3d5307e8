#: title      params of both kinds, in expressions and conditionals
#: source     made for this corpus
#: param      COUNT 3 5
#: param      MIX   one random
#: variant    loop   a counted loop
	mov	$COUNT, %ecx
1:	sub	$1, %ecx
	jnz	1b
	.if	MIX == MIX_random
	nop
	.endif
	ret
#: variant    unrolled
	.rept	COUNT
	nop
	.endr
	ret
