 crc32 (%rsi),%eax
 movsx (%rax),%eax
 movzx (%rax),%eax
 movzx (%rax),%rax
 vcvtpd2ps (%rax),%xmm0
 cvtsi2sd (%rax),%xmm0
 vcvtsi2sd (%rax),%xmm0,%xmm1
 rdrandl %eax
 rdrandw %ax
 push $0x80000000
 pushq $-1
 add $0x1ffffffff,%eax
 movb $300,%al
 movb $-1,%al
 movb $255,%al
 cmpb $256,(%rax)
 bswapl %eax
 bswap %ax
 lldt %ax
 lldt %eax
 lldt (%rax)
 ltr %ax
 sldt %eax
 sldt %rax
 sldt %ax
 sldt (%rax)
 sldtw (%rax)
 smsw %eax
 smsw %rax
 lmsw %ax
 verw (%rax)
 verw %ax
 str %rcx
 lar %ax,%ecx
 lar %ecx,%ecx
 lar (%rax),%rcx
 lar %rcx,%rcx
 lsl %ax,%cx
 in $5,%al
 in %dx,%eax
 in (%dx),%al
 inb $5
 inb %dx
 out %al,$5
 outl %eax,(%dx)
 outb $5
 outb %dx
 fadd
 faddp
 fadd %st(3)
 fadd %st,%st(3)
 fadd %st(3),%st
 fsub %st,%st(3)
 fsubr %st,%st(3)
 fsubp %st,%st(3)
 fsubrp
 fdivp
 fdiv %st(2)
 fdivr %st,%st(1)
 fsub
 fmul
 fld (%rax)
 flds (%rax)
 fldl (%rax)
 fldt (%rax)
 fild (%rax)
 filds (%rax)
 fildl (%rax)
 fildll (%rax)
 fildq (%rax)
 fistp (%rax)
 fistpq (%rax)
 fistpll (%rax)
 fisttp (%rax)
 fisttpll (%rax)
 fxch
 fxch %st(3)
 fcom
 fcomp %st(2)
 fcompp
 fucomi
 fucomi %st(1)
 fucomi %st(1),%st
 fucomip %st(2)
 fcomip %st(1),%st
 fstsw
 fnstsw %ax
 fstsw %ax
 fstcw (%rax)
 fnstcw (%rax)
 fstenv (%rax)
 fldenv (%rax)
 fsave (%rax)
 frstor (%rax)
 finit
 fninit
 fclex
 fcmovb %st(1),%st
 fcmovb %st(1)
 ffree %st(1)
 ffreep %st(1)
 fst %st(1)
 fstp %st(2)
 fucom %st(2)
 fucompp
 fbld (%rax)
 fbstp (%rax)
 movsb
 movsw
 movsl
 movsq
 movsd
 cmpsd
 stosb
 stos %al,(%rdi)
 stosl
 stosd
 lodsb
 lodsq
 lodsd
 scasb
 scas (%rdi),%al
 scasq (%rdi)
 rep movsb
 rep movsq
 repne scasb
 insb
 insl
 outsb (%rsi),%dx
 outsl
 xlat
 xlatb
 cmpsb
 cmpsb %es:(%rdi),(%rsi)
 movsb (%rsi),(%rdi)
 movsb %fs:(%rsi),(%rdi)
 movsl %gs:(%esi),(%edi)
 lods (%rsi),%al
 cbtw
 cwtl
 cltq
 cwtd
 cltd
 cqto
 cbw
 cdqe
 cqo
 cdq
 cwde
 cwd
 movslq %eax,%rcx
 movsxd %eax,%rcx
 movsbl %al,%ecx
 movzbl %ah,%ecx
 movzbq %al,%rcx
 movzb %al,%ecx
 movsb %al,%ecx
 movsx %al,%cx
 movzx %ax,%ecx
 movzwl (%rax),%ecx
 movswq %ax,%rcx
 movsww %ax,%cx
 imul $5,%eax
 imul $500,%rax
 imul $5,%eax,%ecx
 imul %ecx
 imul (%rax),%ecx
 imulq $5,(%rax),%rcx
 imul $-1,%ax
 shl %eax
 shll (%rax)
 shl $1,%eax
 shl $5,%rax
 shl %cl,%eax
 sal $1,%al
 sarq (%rax)
 rcr $1,%rax
 shld $4,%eax,%ecx
 shld %cl,%eax,%ecx
 shld %eax,%ecx
 shrdq $1,%rax,(%rcx)
 div %cl
 div %cl,%al
 divl %ecx,%eax
 idivq (%rax)
 mul %rcx
 test %eax,(%rcx)
 test (%rcx),%eax
 test $1,%al
 test $1,%eax
 testb $1,(%rax)
 test %al,%cl
 xchg %al,(%rcx)
 xchg (%rcx),%al
 xchg %ax,%ax
 xchg %r8,%rax
 xchg %r8d,%eax
 nop
 nopw (%rax)
 nopl 8(%rax,%rax,1)
 nopw %ax
 nop %eax
 pause
 rep nop
 rep ret
 lock incl (%rax)
 lock xchg %eax,(%rcx)
 lock cmpxchg %eax,(%rcx)
 cmpxchg8b (%rax)
 cmpxchg16b (%rax)
 enter $5,$1
 leave
 int $3
 int $0x80
 int3
 int1
 icebp
 ud2
 ud2a
 ud1 %eax,%ecx
 ud0 %eax,%ecx
 ud2b (%rax),%ecx
 syscall
 sysret
 sysretq
 sysretl
 sysexit
 sysexitq
 sysenter
 iretq
 swapgs
 rdtscp
 rdpmc
 cpuid
 wrmsr
 rdmsr
 xgetbv
 lgdt (%rax)
 sidt (%rax)
 invlpg (%rax)
 mov %cr3,%rax
 mov %rax,%cr8
 mov %db7,%rax
 mov %rax,%dr7
 clflush (%rax)
 prefetcht0 (%rax)
 prefetchw (%rax)
 ldmxcsr (%rax)
 fxsave (%rax)
 fxsave64 (%rax)
 xsave (%rax)
 xsave64 (%rax)
 xsaveopt64 (%rax)
 xrstors64 (%rax)
 rdfsbase %rax
 wrgsbase %eax
 monitor
 monitor %rax,%ecx,%edx
 monitor %rax,%rcx,%rdx
 monitor %eax,%ecx,%edx
 mwait
 mwait %eax,%ecx
 umonitor %rax
 umwait %eax
 tpause %ecx
 tpause %ecx,%edx,%eax
 movdir64b (%rax),%rcx
 movdiri %eax,(%rcx)
 endbr64
 endbr32
 incsspq %rax
 rdsspq %rax
 saveprevssp
 rstorssp (%rax)
 wrssq %rax,(%rcx)
 setssbsy
 clrssbsy (%rax)
 vmcall
 vmlaunch
 vmread %rax,%rcx
 vmwrite %rax,%rcx
 vmptrld (%rax)
 invept (%rax),%rcx
 invpcid (%rax),%rcx
 vmrun
 vmrun %rax
 vmload %eax
 vmsave
 stgi
 skinit
 skinit %eax
 invlpga
 invlpga %rax,%ecx
 clzero
 clzero %rax
 rdpru
 mcommit
 serialize
 xsusldtrk
 hreset $1
 loop .
 loope .
 loopnz .
 jrcxz .
 jecxz .
 pushf
 pushfq
 pushfw
 popf
 popfq
 pushw %ax
 push %ax
 push %fs
 pushw %fs
 pop %gs
 pushw $5
 pushw $500
 push (%rax)
 pushw (%rax)
 popq (%rax)
 call *%rax
 call *(%rax)
 callq *8(%rax)
 callw *%ax
 jmp *%rcx
 jmp *(%rcx)
 jmpq *(%rcx)
 jmp %rcx
 lcall *(%rax)
 ljmp *(%rax)
 ljmpl *(%rax)
 ljmpw *(%rax)
 rex.w ljmp *(%rax)
 retq
 ret $8
 lret $8
 lretq $8
 lretw
 {disp8} mov (%rax),%ecx
 {disp32} mov (%rax),%ecx
 {disp32} mov 4(%rax),%ecx
 {load} mov %eax,%ecx
 {store} mov %eax,%ecx
 {load} add %eax,%ecx
 {load} movaps %xmm1,%xmm2
 {store} movaps %xmm1,%xmm2
 {vex3} vaddps %xmm1,%xmm2,%xmm3
 {vex} vaddps %xmm1,%xmm2,%xmm3
 {evex} vaddps %xmm1,%xmm2,%xmm3
 {rex} mov %eax,%ecx
 {rex} add $1,%al
 {nooptimize} mov $1,%eax
 {disp32} jmp .
 {disp8} jmp .
 {disp32} jne .
 data16 nop
 addr32 nop
 rex.w nop
 cs nop
 ds nop
 notrack jmp *%rax
 bnd jmp *%rax
 bnd ret
 bnd call foo
 bnd jmp .
 xacquire lock incl (%rax)
 xrelease movl $1,(%rax)
 rex
 rex64
 rex.w
 lock
 data16
 cs
 movq %xmm0,%rax
 movq %rax,%xmm0
 movd %rax,%xmm0
 movd %eax,%xmm0
 movd %xmm0,%rax
 movq (%rax),%xmm0
 movq %xmm0,(%rax)
 movq %mm0,(%rax)
 movq (%rax),%mm0
 movq %mm0,%rax
 movd %mm0,%rax
 movq %xmm1,%xmm2
 pinsrw $1,%eax,%xmm0
 pinsrw $1,%rax,%xmm0
 pinsrw $1,(%rax),%xmm0
 pextrw $1,%xmm0,%eax
 pextrw $1,%xmm0,%rax
 pextrw $1,%xmm0,(%rax)
 pextrb $1,%xmm0,%rax
 pextrd $1,%xmm0,%eax
 pextrq $1,%xmm0,%rax
 extractps $1,%xmm0,%rax
 extractps $1,%xmm0,(%rax)
 pinsrb $1,%eax,%xmm0
 pinsrq $1,%rax,%xmm0
 movmskps %xmm0,%rax
 pmovmskb %xmm0,%rax
 cvtsi2sdq %rax,%xmm0
 cvtsi2sdl (%rax),%xmm0
 cvttsd2si %xmm0,%rax
 cvttsd2siq %xmm0,%rax
 cmpeqps %xmm0,%xmm1
 cmpnlesd %xmm0,%xmm1
 vcmpltps %ymm0,%ymm1,%ymm2
 vcmpeq_uqpd %ymm0,%ymm1,%ymm2
 pclmullqhqdq %xmm0,%xmm1
 vpclmulhqhqdq %xmm0,%xmm1,%xmm2
 vpcmpltd %zmm0,%zmm1,%k1
 vpcmpeqd %zmm0,%zmm1,%k1
 vpcmpequd %zmm0,%zmm1,%k1
 blendvps %xmm0,%xmm1,%xmm2
 blendvps %xmm1,%xmm2
 pblendvb %xmm0,%xmm1,%xmm2
 sha256rnds2 %xmm0,%xmm1,%xmm2
 maskmovq %mm1,%mm2
 vgatherdps %xmm1,(%rax,%xmm2,4),%xmm3
 vpgatherqd %xmm1,(%rax,%ymm2,4),%xmm3
 vgatherdps (%rax,%zmm2,4),%zmm3{%k1}
 vpscatterdd %zmm3,(%rax,%zmm2,4){%k1}
 vaddps {rn-sae},%zmm1,%zmm2,%zmm3
 vmaxps {sae},%zmm1,%zmm2,%zmm3{%k1}{z}
 vaddps (%rax){1to16},%zmm2,%zmm3
 vaddpd 8(%rax){1to8},%zmm2,%zmm3
 vmovups 64(%rax),%zmm2
 vmovups 65(%rax),%zmm2
 vpermil2ps $1,%xmm1,%xmm2,%xmm3,%xmm4
 andn %eax,%ecx,%edx
 bextr %eax,%ecx,%edx
 blsr %rax,%rcx
 rorx $4,%rax,%rcx
 sarx %rax,(%rcx),%rdx
 mulx %rax,%rcx,%rdx
 pdep %eax,%ecx,%edx
 tzcnt %eax,%ecx
 lzcntw %ax,%cx
 popcntl (%rax),%ecx
 adcx %eax,%ecx
 adoxq %rax,%rcx
 crc32b %al,%ecx
 crc32q %rax,%rcx
 movbe (%rax),%ecx
 movbel %ecx,(%rax)
 kmovw %k1,%k2
 kmovw %eax,%k1
 kmovq %k1,%rax
 kmovb (%rax),%k1
 kandw %k1,%k2,%k3
 tileloadd (%rax,%rcx,1),%tmm1
 ldtilecfg (%rax)
 tdpbssd %tmm1,%tmm2,%tmm3
 tilezero %tmm1
 vpdpbusd %xmm1,%xmm2,%xmm3
 {vex} vpdpbusd %xmm1,%xmm2,%xmm3
 vfmadd231ps %xmm1,%xmm2,%xmm3
 vfmaddps %xmm1,%xmm2,%xmm3,%xmm4
 vpcomltd %xmm1,%xmm2,%xmm3
 vfrczps %xmm1,%xmm2
 pfadd %mm1,%mm2
 pswapd (%rax),%mm2
 femms
 mov %al,%ah
 mov %ah,%sil
 add %ah,%r8b
 mov %spl,%al
 movb $1,%dil
 mov (%eax),%ecx
 mov (%eax,%ecx,2),%edx
 mov 0xffffffff(%eax),%ecx
 mov -1(%eax),%ecx
 lea (%rax,%rcx),%edx
 lea 4(,%rcx,8),%rdx
 lea (%eip),%eax
 mov (%eip),%eax
 mov (%rax,%ecx),%edx
 mov (%rax,%rsp),%edx
 mov 0x123456789(%rax),%ecx
 mov 0x80000000(%rax),%ecx
 mov 0xffffffff80000000(%rax),%ecx
 mov $foo-bar,%eax
 movq $foo@gotpcrel,%rax
 mov foo@GOTPCREL(%rip),%rax
 mov foo@GOTPCREL(%rip),%eax
 call *foo@GOTPCREL(%rip)
 jmp *foo@GOTPCREL(%rip)
 call foo@PLT
 jmp foo@plt
 jne foo@PLT
 mov foo@tpoff,%eax
 mov %fs:foo@tpoff,%eax
 mov foo@gottpoff(%rip),%rax
 lea foo@tlsgd(%rip),%rdi
 movabs $foo@GOTOFF,%rax
 lea foo@DTPOFF(%rax),%rdx
 bt $5,%eax
 bt %eax,(%rcx)
 btsq $63,(%rax)
 bound %eax,(%rcx)
 aaa
 pusha
 lds (%rax),%eax
 lfs (%rax),%eax
 lssq (%rax),%rax
 lahf
 sahf
 salc
 wait
 fwait
 arpl %ax,%cx
 getsec
 rsm
 xtest
 xabort $1
 xend
 vzeroall
 emms
 ptwrite %eax
 ptwriteq (%rax)
 rdpid %rax
 cldemote (%rax)
 wbnoinvd
 enqcmd (%rax),%rcx
 pconfig
 encls
 vmfunc
 psmash
 pvalidate
 rmpadjust
 invlpgb
 tlbsync
 xcryptecb
 xstore
 montmul
 xbegin .
 movabs 0x1122334455667788,%al
 movabs %rax,0x1122334455667788
 mov 0x1122334455667788,%eax
 movabsq $0x1122334455667788,%rax
 mov %eax,%fs:0
 mov %fs:(%rax),%rcx
 mov %gs:foo(%rip),%rax
 extrq $1,$2,%xmm0
 insertq $1,$2,%xmm0,%xmm1
 vmovq (%rax),%xmm0
 vmovq %xmm0,(%rax)
 vmovq %rax,%xmm0
 vmovd %eax,%xmm0
 vmovss %xmm8,%xmm1,%xmm2
 vmovss (%rax),%xmm2
 vpextrw $1,%xmm8,%eax
 vandps %xmm8,%xmm1,%xmm2
 vmovdqu %xmm8,%xmm1
 vcvtpd2psx (%rax),%xmm0
 vcvtpd2psy (%rax),%xmm0
 vcvtpd2ps %ymm1,%xmm0
 vfpclassps $1,%zmm0,%k1
 vfpclasspsz $1,(%rax),%k1
 vcvtsi2sdq %rax,%xmm0,%xmm1
 vcvtusi2sdl %eax,%xmm0,%xmm1
 vcvtusi2sd %rax,{rn-sae},%xmm0,%xmm1
 vcvtsi2ss %rax,{rz-sae},%xmm0,%xmm1
 vpbroadcastb %eax,%xmm1
 vpbroadcastq %rax,%ymm1{%k3}{z}
 vpmovm2b %k1,%zmm1
 valignd $1,%zmm1,%zmm2,%zmm3
 vp2intersectd %zmm1,%zmm2,%k2
 v4fmaddps (%rax),%zmm0,%zmm4
 vrcp14ps %zmm1,%zmm2
 vaddph %zmm1,%zmm2,%zmm3
 vfmaddcph (%rax){1to16},%zmm2,%zmm3
 vcmpph $1,%zmm1,%zmm2,%k1
 vmovw %eax,%xmm1
 vmovsh (%rax),%xmm1
