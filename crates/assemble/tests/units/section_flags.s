	.section .text.a,"axo",@progbits,.text
	nop
	.section .data.b,"aw",@progbits,unique,1
	.long 1
	.section .data.b,"aw",@progbits,unique,2
	.long 2
	.section .data.b,"aw",@progbits
	.long 3
	.section .data.b,"aw",@progbits,unique,1
	.long 4
	.section .x,"awR",@progbits
	.long 4
	.section .noinit,"aw",@nobits
	.zero 4
	.section .noinit.x
	.zero 8
	.section .persistent
	.long 1
	.section .persistent.bss
	.zero 1
	.section .foo,"axG",@progbits,g,comdat
	.globl g
g:	ret
	.section .foo2,"a?",@progbits
	.long g
	.section .lrodata,"al"
	.long 5
	.section .ldata
	.long 5
	.section .lbss
	.zero 5
	.section .note.x,"a",@note
	.long 1
	.section .init_array,"aw",@init_array
	.quad g
	.section .ctors
	.quad g
	.section .dtors,"aw"
	.quad g
	.section .gnu.linkonce.t.foo,"ax"
	ret
	.section .rodata.str1.8,"aMS",@progbits,1
.L1:	.string "abc"
l2:	.string "def"
	.text
	lea .L1(%rip), %rax
	lea l2(%rip), %rax
	lea l2+1(%rip), %rax
	mov $l2, %eax
	mov $l2+1, %eax
	mov $.L1+1, %eax
	.data
	.quad l2, l2+1, .L1, .L1+1, l2-.
	.section .tdata,"awT"
tl:	.long 1
	.text
	mov %fs:tl@TPOFF, %eax
	.data
	.quad tl
	.long tl-.
	.section .e,"e"
	.long 1
	.section .y,"aw",%progbits
	.section .z,"a",@0x60000001
	.long 1
