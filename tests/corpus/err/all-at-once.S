#: title    errors of three kinds, none of which hides another
#: unroll   0
#: variant  a
	mov	%ah, %r8b
	jmp	1f
	call	nowhere
