	.text
	.quad 0
loc:	nop
	.globl glo
glo:	nop
	.data
	.long loc@GOT, loc@GOTPCREL, loc@SIZE
	.quad loc@GOT, loc@GOTPCREL, loc@SIZE, loc@GOTOFF
	.quad glo@GOT, glo@GOTPCREL, glo@SIZE, glo@GOTOFF, glo@PLTOFF, glo@GOTPLT
	.long loc@GOT+3, loc@GOTPCREL-4, glo@PLT+1
	.quad loc@PLTOFF+5, loc@SIZE+1
	.section .text.o,"ax"
	call loc
	call fwd
	call fwd+3
	call glo+3
	jmp fwd
	jmp fwd+3
	jmp glo
	jmp glo+2
	jne loc
	call al
	jmp al
	al = fwd
	jmp al2
	call al2
	jmp al3
	call al3
	.globl al3
	al3 = here
here:	nop
	al2 = here
	call here@PLT
	jmp here@PLT
	jmp loc@PLT
	call loc@PLT
	lea loc@PLT(%rip), %rax
	mov $loc, %eax
	movabs $loc, %rax
	mov loc, %eax
	mov %eax, loc(,%rax,4)
	movabs loc, %eax
	pushq $loc
	mov loc+5(%rip), %eax
	movl $5, loc(%rip)
	movl $loc, loc(%rip)
	cmpb $0, glo(%rip)
	addl $5, foo@GOTPCREL(%rip)
	cmpl $5, foo@GOTPCREL(%rip)
	cmp %rax, foo@GOTPCREL(%rip)
	imul foo@GOTPCREL(%rip), %eax
	addw foo@GOTPCREL(%rip), %ax
	movb foo@GOTPCREL(%rip), %al
	call *foo@GOTPCREL(%rip)
	call *%fs:foo@GOTPCREL(%rip)
	notrack jmp *foo@GOTPCREL(%rip)
	jrcxz loc
	xbegin loc
	loop glo
	movabs _GLOBAL_OFFSET_TABLE_, %rax
	mov _GLOBAL_OFFSET_TABLE_, %eax
	add $_GLOBAL_OFFSET_TABLE_+4, %rax
	movl $_GLOBAL_OFFSET_TABLE_, 4(%rax)
	vmovups foo@GOTPCREL(%rip), %ymm0
	{evex} vmovups foo@GOTPCREL(%rip), %ymm0
	vpshufd $4, foo@GOTPCREL(%rip), %xmm0
	call 0x1234
	jmp 0x1234
	jne 5
	.section .text.fwd,"ax"
	nop
fwd:	ret
	.section .text.grp,"axG",@progbits,gg,comdat
	nop
ingrp:	ret
.Lingrp: ret
	call ingrp
	.text
	call ingrp
	call .Lingrp
	mov $ingrp, %eax
	.section .gnu.linkonce.t.q,"ax"
	nop
inonce: ret
	.text
	call inonce
	.data
	.quad inonce, ingrp, .Lingrp
	.section .dgrp,"awG",@progbits,gg2
	.quad ingrp
	.section .rodata.cst8,"aM",@progbits,8
	.quad 1
c8:	.quad 2
	.text
	movsd c8(%rip), %xmm0
	movsd c8, %xmm0
	movsd c8+1, %xmm0
	.data
	.quad c8, c8+8, c8-., c8@GOTOFF
	.long c8-.+4
	.weak wk
wk:	.long wk, wk-., wk+4
	.long glo-., loc-., loc-.+4, ext-., ext-.+8
1:	.long 1b-., 1f-1b
1:	.byte 2f-1b
2:
	.globl cm
	.comm cm, 4
	.quad cm, cm+4
	.comm cm2, 4
