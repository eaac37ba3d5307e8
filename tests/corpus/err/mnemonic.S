#: title      words that are no instructions, in common lines and in both variants
	.macro	broken
	subb	$1, %al, %cl
	.endm
#: variant    a
	movv	%eax, %ecx
	broken
	ret
#: variant    b
	broken
	ret
