#: title      data, tables and references between sections
#: random     stream 64 4
#: variant    table
	movzbl	stream(%rip), %eax
	jmp	*handlers(,%rax,8)
first:	ret
second:	ret
	.section .rodata
	.balign	8
handlers:
	.quad	first, second, first, second
#: variant    scratch
	mov	scratch(%rip), %rax
	lea	entry_stack_top(%rip), %rcx
	ret
