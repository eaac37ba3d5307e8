#: title      %ah and a REX prefix exclude each other
#: variant    a
	movb	%ah, %r8b
	addb	%ah, (%r9)
	ret
