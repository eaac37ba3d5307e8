movb $-1, 5(%rbx)
movw $0x1234, %gs:(%rax)
mov $'A', %dl
mov $(1<<4|3), %ecx
mov $~7, %rdx
movabs $0x8000000000000000, %r9
movabs 0x1122334455667788, %eax
movabsq %rax, 0x7fffffffffff
movabsb 0x10, %al
mov 0x1122334455667788, %al
mov $0x80000000, %rax
mov $-0x80000000, %rax
mov $0xffffffff80000000, %rax
movq $0x7fffffff, -8(%rbp)
movslq (%rsi), %rdi
movsbl %ah, %ebx
movsbq (%r9,%r10,2), %r11
movzbw %dl, %di
movzwq %bp, %rsp
movsx %r8b, %r9w
movzx %r8w, %r9d
cbtw
cwtl
cwtd
cltd
cltq
cqto
cbw
cwde
cdqe
push $-129
pushw $5
pushq $0x1234
push %fs
popw %gs
pushw 4(%rsp)
push 4(%rsp)
pushfq
popfw
enter $16, $0
enterw $1, $2
leave
leavew
lcall *(%rbx)
ljmp *8(%rbx)
lcallw *(%rbx)
rex.w ljmp *(%rbx)
lret
lret $8
lretq
iret
iretq
iretw
ret $16
retw
retq
call *%r10
call *8(%rax,%rbx,8)
callq *(%rip)
jmp *%rax
jmp *0x10(,%rcx,8)
jmpq *%r15
jmpw *%ax
notrack jmp *%rax
notrack call *(%rbx)
bnd ret
bnd jmp *%r11
jrcxz .
jecxz .
loopnz .
loopel .
xbegin .
jnz,pn .
jae,pt .
jc .
jpo .
jnge .
xchg %ax, %ax
xchg %eax, %eax
xchg %rax, %rax
xchg %r8, %rax
xchg %rax, (%rsi)
xchg (%rsi), %rax
nop
nopw (%rax)
nopl 8(%rax,%rax,1)
nopw %cs:0x0(%rax,%rax,1)
rep nop
pause
rep ret
repz cmpsb
repnz scasb
rep movsq
rep stosl
lods
lodsw
insb
outsl
insw (%dx), %es:(%rdi)
outsb %fs:(%rsi), (%dx)
movs %gs:(%rsi), %es:(%rdi)
cmpsl %es:(%rdi), (%esi)
scas (%rdi), %eax
stos %ax, (%edi)
xlat
xlatb %fs:(%rbx)
in $0x10, %al
in (%dx), %eax
out %al, (%dx)
out %eax, $0x80
inw $4
outl %dx
lock incl (%rax)
lock cmpxchg16b (%rdi)
lock xaddq %rax, (%rbx)
xacquire lock addl $1, (%rax)
xrelease movl $0, (%rdx)
xrelease lock xchg %eax, (%rdx)
data16 lea 0(%rip), %rdi
addr32 mov (%eax), %ecx
addr32 mov 0x1234, %eax
rex.wrxb nop
rex64 pushfq
cs mov (%rax), %eax
fs; mov (%rax), %eax
ds jmp *%rax
gs call *(%rax)
{disp32} mov 1(%rax), %ebx
{disp8} mov (%rax), %ebx
{disp32} jmp .
{disp32} jne .
{disp8} vmovaps (%rax), %zmm1
{load} mov %eax, %ebx
{store} mov %eax, %ebx
{load} add %al, %bl
{store} movaps %xmm1, %xmm2
{vex3} vaddps %xmm1, %xmm2, %xmm3
{vex2} vaddps %xmm1, %xmm2, %xmm3
{evex} vaddps %xmm1, %xmm2, %xmm3
{vex} vpdpbusd %xmm1, %xmm2, %xmm3
{rex} addb %al, %bl
{nooptimize} nop
vaddps %zmm1, %zmm2, %zmm3{%k1}{z}
vaddps (%rax){1to16}, %zmm2, %zmm3{%k1}
vaddps {ru-sae}, %zmm1, %zmm2, %zmm3
vcmpeqps {sae}, %zmm1, %zmm2, %k1
vcmpgt_oqsd %xmm1, %xmm2, %k3{%k4}
vgatherdps (%rax,%zmm1,4), %zmm2{%k1}
vgatherqpd %ymm1, (%rax,%ymm2,8), %ymm3
vpscatterdq %zmm1, 8(%rbx,%ymm2){%k7}
vpternlogd $0x55, 64(%rdx){1to8}, %ymm16, %ymm31
vmovdqu64 -128(%rsp), %zmm17
vmovdqu64 -129(%rsp), %zmm17
vfmaddpd %xmm1, (%rdx), %xmm3, %xmm4
vpcomltub (%rsi), %xmm1, %xmm2
vpermil2ps $2, %ymm1, %ymm2, %ymm3, %ymm4
bextr $0x1234, (%rbx), %ecx
blcfill %eax, %ecx
tzmsk (%rax), %rcx
llwpcb %rax
lwpins $0x12345678, %eax, %ebx
lwpval $1, (%rcx), %rdx
pdep (%rsi), %rax, %rbx
shlx %ecx, (%rsi), %edx
rorx $63, %rax, %rdx
andn (%rbx), %r9, %r10
adcx %eax, %ecx
crc32b %al, %rdx
crc32w (%rsi), %ecx
crc32q %r9, %r10
movbe (%rsi), %r8w
popcntw (%rax), %cx
lzcnt %rax, %rcx
rdrand %r11w
rdseed %eax
rdfsbase %rax
wrgsbase %ecx
rdpid %rdi
invpcid (%rsi), %rax
invept (%rax), %rdi
vmread %rax, (%rbx)
vmwriteq (%rax), %rdx
vmptrld (%rsp)
vmlaunch
vmfunc
vmrun
vmsave %rax
clgi
skinit
invlpga %rax, %ecx
clzero %eax
monitorx %rax, %ecx, %edx
mwaitx
monitor
mwait %eax, %ecx
umonitor %eax
umwait %ecx
tpause %edx
rstorssp (%rax)
incsspq %r8
wrssd %eax, (%rdx)
saveprevssp
setssbsy
endbr64
endbr32
ldtilecfg (%rax)
tileloadd (%rax,%rcx,4), %tmm3
tdpbssd %tmm1, %tmm2, %tmm3
loadiwkey %xmm1, %xmm2
encodekey128 %eax, %ecx
aesenc256kl 16(%rsi), %xmm3
enqcmd (%rsi), %rdi
movdir64b (%eax), %ecx
movdiri %rax, (%rdx)
senduipi %r9
clui
hreset $5
serialize
wbnoinvd
xsavec64 (%rsi)
xrstors (%rsi)
fxsave64 (%rdi)
xgetbv
ptwriteq (%rax)
cldemote (%rdi)
clwb 64(%rdi)
prefetchw (%rax)
prefetchit0 0x12345(%rip)
sldt %ax
str (%rax)
lldt %ax
ltr (%rdi)
lmsw %ax
smsw %r9
lar %ax, %rdx
lsl (%rax), %ecx
verw 2(%rip)
lgdt (%rax)
sidt 8(%rsp)
invlpg (%rdi)
mov %cr8, %rax
mov %rdx, %db7
movq %rax, %cr3
mov %fs, %rax
mov %rax, %ds
movw %gs, (%rdi)
movl %eax, %es
rdtscp
rdpmc
swapgs
sysretl
sysretq
sysexit
sysenter
syscall
int $3
int $0x80
int3
ud2
ud1 (%rax), %ecx
ud0 %eax, %ecx
hlt
fadd
fadd %st(3)
fadd %st, %st(3)
fadd %st(3), %st
faddp
faddp %st(4)
fsub %st, %st(3)
fsubr %st, %st(3)
fsubp %st, %st(3)
fsubrp %st, %st(1)
fdivp
fdivrp %st, %st(2)
fsub %st(3), %st
fadds 4(%rsp)
fmull (%rax)
fldt (%rdx)
fstpt (%rdx)
fld %st(2)
fildll (%rcx)
filds (%rcx)
fistpl (%rcx)
fisttpll (%rcx)
fcmovnbe %st(2), %st
fcomip %st(3)
fucompp
fcompp
fstsw
fnstsw %ax
fstcw (%rsp)
fnsave (%rax)
fldenv (%rdi)
fninit
fclex
fxch
fyl2xp1
fwait
movq %mm1, %rax
movd %xmm3, %eax
movq %xmm1, (%rax)
cvtsi2sd (%rax), %xmm1
cvtsi2sdq (%rax), %xmm1
cvtsi2ss %r9, %xmm3
cvttsd2si %xmm1, %r10
pextrw $3, %xmm1, %eax
pinsrw $1, (%rax), %xmm2
pinsrq $1, %rdx, %xmm2
pextrb $5, %xmm4, (%rcx)
cmpltsd %xmm1, %xmm2
pclmulhqlqdq %xmm1, %xmm2
blendvpd %xmm0, (%rax), %xmm2
sha256rnds2 %xmm0, %xmm1, %xmm2
pshufw $0x1b, (%rax), %mm2
maskmovdqu %xmm1, %xmm2
movntdq %xmm1, (%rsi)
pfadd (%rax), %mm1
femms
shl %cl, %eax
shl %eax
shlb $3, (%rax)
sal $1, %ecx
shld $5, %eax, (%rbx)
shrd %cl, %rax, %rbx
shld %eax, %ebx
rcl $2, %r9w
bt $63, %rax
btsl $31, (%rdi)
bsf (%rax), %rcx
bswap %r15
imul $7, %ecx
imul $0x1234, (%rax), %rdx
imul %rbx
mul (%rax)
divq (%rcx)
idiv %cl, %al
cmpxchg8b (%rdi)
cmovnae %eax, %ecx
setpo (%rax)
setnz %r13b
leal 5(%eax,%ebx,2), %ecx
lea (,%r13,8), %rsi
lea -1(%r12), %r12w
test %eax, (%rax)
test (%rax), %eax
testb $1, %r14b
add $-128, %rax
add $128, %rax
sub $0xffffffff, %eax
and $0xff, %ax
or $0x8000, %cx
xor $-1, %r9
adc %dl, 3(%rbp,%rax)
sbb $1, (%r13)
cmpw $0xfff0, (%rdi)
incw %ax
decq (%rsp)
negl 4(%r12)
notb %sil
arpl %ax, %cx
aaa
pusha
les (%rax), %ecx
into
bound %eax, (%rcx)
salc
mov %ah, %sil
add $0x100000000, %rax
mov $1, %cs
lea %eax, %ecx
mov (%rax,%rbx,3), %ecx
mov (%rax,%rsp), %ecx
vaddps %xmm16, %xmm1, %xmm2{%k0}
vaddps %xmm1, %ymm2, %ymm3
fadd %st(3), %st(4)
push %eax
pop %ecx
inc 4
movl (%rax), (%rbx)
jmp %rax
call %rax
shl $300, %eax
bts $300, %eax
in $300, %al
int $256
mov $300, %al
mov $70000, %ax
