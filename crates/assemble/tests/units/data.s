	.text
f:	ret
	.globl g
g:	ret
	.data
a:	.byte 1, -1, 255, 'x', b - a
	.word 0x1234, b - a
	.long a, b, g, u, b - a, a - ., f - ., u - ., g - .
	.quad a, f, g + 4, u - 8, b - a, a - ., u - .
b:	.octa 0x112233445566778899aabbccddeeff00
	.ascii "ab\0", "c\n"
	.asciz "hello", ""
	.string "x"
	.zero 5
	.skip 3, 0xaa
	.space 2
	.fill 3, 2, 0x1234
	.fill 2, 8, 0x1122334455667788
	.fill 2
	.float 1.5
	.double 2.25
	.uleb128 5, 300, b - a
	.sleb128 -5, 300, a - b
	.value 7
	.short 8
	.int 9
	.hword 10
1:	.balign 8
	.quad . - 1b
	.section .rodata
	.quad f, .Lstr
.Lstr:	.asciz "str"
	.section .rodata.str1.1,"aMS",@progbits,1
.LC0:	.string "merge"
.LC1:	.string "two"
	.text
	lea .LC0(%rip), %rax
	lea .LC1(%rip), %rax
	mov $.LC1, %eax
	mov .LC1, %eax
	lea .Lstr(%rip), %rax
	lea a(%rip), %rax
	lea a+5(%rip), %rax
	lea g(%rip), %rax
	lea u(%rip), %rax
	movl $a, a(%rip)
	cmpb $1, a(%rip)
	mov a(,%rax,8), %rcx
	mov $g, %rax
	movabs $g, %rax
	call *g(%rip)
	mov a-f(%rax), %ecx
	add $b-a, %eax
	.quad .LC1
	.comm common, 100, 32
	.comm small, 3
	.lcomm local, 10
	mov common(%rip), %eax
	mov local(%rip), %eax
	mov $small, %eax

# The directives of other assemblers.
.data
.dc 1,2
.dc.a 1, elsewhere
.dc.b 1
.dc.w 1
.dc.l 1
.dc.d 1.5
.dc.s 1.5
.dcb 3,7
.dcb.b 3,7
.dcb.w 2,7
.dcb.l 2,7
.dcb 3
.ds 3
.ds.b 3
.ds.w 3
.ds.l 2,7
.ds.d 3
.slong 4
.string16 "ab"
.string32 "ab"
.string64 "a"
.long ,1
.long 1,
.long 1,,2
.uleb128 1,
.uleb128 ,1
.title "x"
.sbttl "x"
.list
.nolist
.func other
.endfunc
.extern elsewhere
.fail 500
.text
.nop
.nop 3
.purgem nowhere
.endr
.endm
