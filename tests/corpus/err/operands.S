#: variant    a
	mov	%eax, %rcx
	mov	$0x123456789, %eax
	push	%ecx
	mov	(%eip), %eax
	mov	(%rax,%rsp), %eax
	ret
