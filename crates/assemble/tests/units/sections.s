	.text
	nop
	.text 2
	ret
	.text 1
	hlt
	.balign 16
	.text
	jmp 1f
1:
	.section .init.text,"ax",@progbits
x:	call y
	.pushsection .altinstructions,"a"
	.long x - ., y - .
	.word 1
	.byte 4f - 2f
2:	.byte 9
4:	.popsection
	jmp x
	.previous
	leave
	.data 1
	.long 4
	.data 0
	.long 3
	.subsection 2
	.long 5
	.previous
	.long 6
	.bss
buffer:	.skip 100
	.balign 64
more:	.zero 8
	.section .mine,"aw",@nobits
	.skip 20
	.section .tdata,"awT",@progbits
t:	.long 1
	.section .note.mine,"a",@note
	.long 7
	.section .init_array,"aw"
	.quad y
	.section ".quoted","ax"
y:	ret
3:
	.text
	mov buffer(%rip), %eax
	mov $more, %ecx
	mov %fs:t@tpoff, %eax
	jmp y
	.balign 64
