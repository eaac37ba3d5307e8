#: title      filler: COUNT taken branches, of four kinds
#: entry      inline
#: param      COUNT 64
#: baseline   loop

#: variant    loop          one branch, taken again and again
	movl	$(COUNT + 1), %ecx
1:	subl	$1, %ecx
	jnz	1b

#: variant    jump          jumps, 16 bytes apart
	.rept	COUNT
	jmp	1f
	.skip	14, 0xcc
1:
	.endr

#: variant    conditional   conditional branches, 16 bytes apart
	xorl	%eax, %eax
	.rept	COUNT
	jz	1f
	.skip	14, 0xcc
1:
	.endr

#: variant    call          calls and returns; the first jump counts, and one more makes it even
	jmp	2f
1:	ret
2:
	.rept	(COUNT - 1) / 2
	call	1b
	.endr
	.rept	(COUNT - 1) % 2
	jmp	3f
3:
	.endr
