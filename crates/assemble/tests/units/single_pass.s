	add $after, %eax
	mov after(%rax), %ecx
	mov %eax, after2(%rbp)
	cmp $(1f - 2f), %eax
	push $after
1:	.skip 3
2:
	cmp $(2b - 1b), %eax
	mov 2b-1b(%rax), %ecx
	mov .-1b(%rax), %ecx
	jmp 3f
3:
	cmp $(3b - 2b), %eax
	mov 3b-2b(%rax), %ecx
	.if 2b - 1b == 3
	nop
	.endif
	.ifdef after
	hlt
	.endif
	.set after, 1
	.set after2, 2
	add $after, %eax
	mov after(%rax), %ecx
	push $after
	.ifdef after
	nop
	.endif
	.rept after + 1
	inc %eax
	.endr
4:	jmp 4b
	jmp 4f
	jmp 5f
4:	jmp 4b
5:	jmp 5b
	.byte 5b - 4b
	xbegin 5b
	loop 5b
	jrcxz 4b
