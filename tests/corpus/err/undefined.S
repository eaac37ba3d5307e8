#: title    symbols that a linker might know and a run does not
#: variant  a
	call	nowhere
	call	nowhere
	mov	elsewhere+8(%rip), %rax
	lea	scratch(%rip), %rdi
	ret
	.data
	.quad	a, nowhere
#: variant  b
	ret
	.section .discard
	.quad	not_loaded
