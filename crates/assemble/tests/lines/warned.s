call *%rax
call %rax
	lret
 mov (%rax,2),%ebx
 lea %gs:(%rax),%rbx
 fld (%rax)
 fadd
 faddp %st(1),%st
 movsd
vgatherdps %ymm0,(%rax,%ymm1,4),%ymm0
vpgatherdd (%rax,%zmm1,4),%zmm1{%k1}
.fill 3,9,1
.fill 3,-1,1
.space 5,0x1ff
prefetchit0 (%rax)
 jmp foo(%rip)
 movsd (%rax),%xmm0
 fadd %st(3)
 in %dx
 crc32 (%rax),%eax
 fist (%rax)
faddp
flds (%rax)
 ret
 .byte -255, -256
 .popsection
 .section .a,"aM"
 .section .b,"aw",@bogus
 .skip 4, 300
 .comm c,4
 .comm c,8
 .comm d,4,-8
 .nops -1
 .linkonce
 .uleb128
