.intel_syntax noprefix
mov eax, dword ptr 4
mov rax, qword ptr 4
mov rax, dword ptr 4
mov dword ptr 4, eax
mov eax, dword ptr foo
push qword ptr 4
push word ptr 4
push byte ptr 4
add eax, byte ptr 4
shl eax, byte ptr 4
mov dword ptr [rax], dword ptr 4
mov dword ptr [rax], word ptr 4
mov [rax], dword ptr 4
pshufd xmm1, xmm2, byte ptr 4
int byte ptr 4
call qword ptr 8
jmp dword ptr 8
mov eax, ds:4
mov eax, offset 4
mov eax, $1
mov eax, $foo
mov eax, [4*rax*1]
mov eax, [rax+offset foo]
mov eax, [2*2*rax]
mov eax, [rax*2*2]
mov eax, [rax*(1+1)]
mov eax, [rax][4]
mov eax, [rax]4
movzx eax,[rbx]
movzx eax, byte ptr [rbx]
movsx ax,[rbx]
movsxd rax,[rbx]
crc32 eax,[rbx]
lea rax, 4
lea rax, [4]
mov eax, dword
mov eax, near
mov eax, dword + 4
mov eax, dword [rax]
mov eax, dword foo
jmp far [rax]
jmp near foo
jmp short foo
jmp far ptr [rax]
jmp far ptr [foo]
jmp near ptr [foo]
call far ptr fs:foo
call fs:foo
call near ptr 4
call offset foo
jmp offset foo
jmp [foo]
jmp [foo+4]
jmp near ptr [foo+4]
mov eax, dword ptr dword ptr [rax]
mov eax, dword ptr fs:[rax]
mov eax, fs:dword ptr [rax]
mov eax, [dword ptr rax]
mov eax, [dword ptr 4]
mov eax, (4)
mov eax, ([rax])
mov eax, (ebx)
mov eax, +ebx
mov eax, ebx+1
mov eax, [(rax)]
mov eax, [(rax)+(rbx)*4]
mov eax, [(rax+rbx)*4]
mov eax, [(rax+4)*2]
mov eax, [rax*2+rbx*4]
mov eax, [rax*2+rax]
mov eax, [not 4 + rax]
mov eax, not 4
mov eax, rax.foo
mov eax, 7[foo]
mov eax, foo[rax][4][rbx*2]
mov eax, [foo][rax]
mov eax, foo+[rax]
mov eax, 4+[rax]
mov eax, [4]+4
mov eax, 4+[4]
mov eax, ([4])
mov eax, (foo)
mov eax, flat:foo
mov eax, offset flat:foo
mov eax, offset [foo]
mov eax, offset foo[rax]
mov eax, 4+offset foo
mov eax, dword ptr offset foo
lea rax, offset foo[rax]
mov eax, .
mov eax, $-4
mov eax, fs:gs:[rax]
mov eax, cs:[fs:4]
vaddps zmm1, zmm2, [4]{1to16}
vaddps zmm1, zmm2, [rax]{1to16}
vaddps zmm1{k1}, zmm2, dword bcst foo
mov eax, dword ptr4
mov eax,[rsp*1]
mov eax,[rax+1*rsp]
mov eax,[riz]
loop 4
loop foo
jrcxz 4
addd eax, ebx
addl eax, ebx
addb [rax], 4
incd [rax]
incd word ptr [rax]
movd eax, ebx
movq rax, rbx
movd xmm0, qword ptr [rax]
fldd [rax]
fldq [rax]
fldt [rax]
fildw [rax]
fildq [rax]
setab al
cmovad eax, ecx
cvtsi2sdd xmm0, eax
cvtsi2sdq xmm0, [rax]
crc32d eax, [rcx]
lcall [rax]
ljmp [rax]
ljmpd [rax]
ljmp dword ptr [rax]
prefetch qword ptr [rdi]
clflush zmmword ptr [rdi]
xsave byte ptr [rdi]
vcvtpd2psx xmm0, xmm0
vcvtpd2ps xmm0, xmm0
adc [rax], 0x80000000
in al, edx
movw [rax], es
movq es, r12
movsx eax, dword ptr [rax]
movsxd ax, dword ptr [rax]
adc 8[rbx+rcx*4], 0x80000000
add 8[rbx+rcx*4], 0x80000000
addb 8[rbx+rcx*4], -128
addq 8[rbx+rcx*4], -128
addw 8[rbx+rcx*4], -128
and 8[rbx+rcx*4], 0x80000000
andb 8[rbx+rcx*4], -128
andq 8[rbx+rcx*4], -128
andw 8[rbx+rcx*4], -128
bndcl bnd1, byte ptr [rsi]
bndcn bnd1, byte ptr [rsi]
bndcu bnd1, byte ptr [rsi]
bndldx bnd1, foo[rip]
bndmk bnd1, byte ptr [rsi]
bndmov bnd1, fs:[edx+4]
bndstx foo[rip], bnd1
btw 8[rbx+rcx*4], -128
call offset foo
cldemote dword ptr [rax]
clflush dword ptr [rax]
clflushopt dword ptr [rax]
clr ah
clwb dword ptr [rax]
cmp 8[rbx+rcx*4], 0x80000000
cmpb 8[rbx+rcx*4], -128
cmpq 8[rbx+rcx*4], -128
cmpsd fs:[edx+4], foo
cmpw 8[rbx+rcx*4], -128
crc32 eax, 8[rbx+rcx*4]
cs fs
ds fs
enqcmd eax, 8[rbx+rcx*4]
enqcmds eax, 8[rbx+rcx*4]
faddp st, st(1)
fcmova st, st
fcmovae st, st
fcmovna st, st
fcmovnae st, st
fldt 8[rbx+rcx*4]
fmulp st, st(1)
fs fs
fstpt 8[rbx+rcx*4]
fwait fs
gs fs
hnt
ht
in al, edx
ins byte ptr [rsi], edx
insb 8[rbx+rcx*4], edx
insw 8[rbx+rcx*4], edx
invlpga eax, cl
ja offset foo
jae offset foo
jb offset foo
jbe offset foo
jc offset foo
je offset foo
jecxz -128
jg offset foo
jge offset foo
jl offset foo
jle offset foo
jmp offset foo
jna offset foo
jnae offset foo
jnb offset foo
jnbe offset foo
jnc offset foo
jne offset foo
jng offset foo
jnge offset foo
jnl offset foo
jnle offset foo
jno offset foo
jnp offset foo
jns offset foo
jnz offset foo
jo offset foo
jp offset foo
jpe offset foo
jpo offset foo
jrcxz -128
js offset foo
jz offset foo
lar ax, eax
lcall -128
lea ax, foo
ljmp -128
lods al, foo
loop -128
loope -128
loopne -128
loopnz -128
loopz -128
lsl ax, eax
lzcntq r12, 8[rbx+rcx*4]
mov 8[rbx+rcx*4], 0x80000000
movb 8[rbx+rcx*4], -128
movd 8[rbx+rcx*4], eax
movdir64b eax, 8[rbx+rcx*4]
movq 8[rbx+rcx*4], -128
movsb fs:[edx+4], fs:[edx+4]
movsd fs:[edx+4], fs:[edx+4]
movsw fs:[edx+4], fs:[edx+4]
movsx ax, 8[rbx+rcx*4]
movsxd ax, dword ptr [rax]
movsxdq r12, 8[rbx+rcx*4]
movw 8[rbx+rcx*4], -128
movzx ax, 8[rbx+rcx*4]
mulb 8[rbx+rcx*4]
mwait eax, eax
notb 8[rbx+rcx*4]
notq 8[rbx+rcx*4]
notw 8[rbx+rcx*4]
or 8[rbx+rcx*4], 0x80000000
orb 8[rbx+rcx*4], -128
orq 8[rbx+rcx*4], -128
orw 8[rbx+rcx*4], -128
out edx, al
outs edx, byte ptr [rsi]
popcntq r12, 8[rbx+rcx*4]
popcntw ax, 8[rbx+rcx*4]
prefetch dword ptr [rax]
prefetchit0 dword ptr [rax]
prefetchit1 dword ptr [rax]
prefetchnta dword ptr [rax]
prefetcht0 dword ptr [rax]
prefetcht1 dword ptr [rax]
prefetcht2 dword ptr [rax]
prefetchw dword ptr [rax]
prefetchwt1 dword ptr [rax]
rmpupdate rax, cl
rolq 8[rbx+rcx*4]
rorq 8[rbx+rcx*4]
sbb 8[rbx+rcx*4], 0x80000000
scmp 8[rbx+rcx*4], byte ptr [rsi]
shlb 8[rbx+rcx*4]
shldq 8[rbx+rcx*4], r12
shldw 8[rbx+rcx*4], ax
shlq 8[rbx+rcx*4]
shlw 8[rbx+rcx*4]
shrdq 8[rbx+rcx*4], r12
shrdw 8[rbx+rcx*4], ax
slod al, 8[rbx+rcx*4]
smov 8[rbx+rcx*4], byte ptr [rsi]
ssca al, 8[rbx+rcx*4]
ssto 8[rbx+rcx*4], al
sub 8[rbx+rcx*4], 0x80000000
subb 8[rbx+rcx*4], -128
subq 8[rbx+rcx*4], -128
subw 8[rbx+rcx*4], -128
test 8[rbx+rcx*4], 0x80000000
testb 8[rbx+rcx*4], -128
testq 8[rbx+rcx*4], -128
testw 8[rbx+rcx*4], -128
tileloadd tmm1, byte ptr [rsi]
tileloaddt1 tmm1, byte ptr [rsi]
tilestored byte ptr [rsi], tmm1
ud0
vcvtdq2phx xmm0, 8[rbx+rcx*4]
vcvtdq2phy xmm0, 8[rbx+rcx*4]
vcvtneps2bf16x xmm0, 8[rbx+rcx*4]
vcvtneps2bf16y xmm0, 8[rbx+rcx*4]
vcvtpd2dqx xmm0, 8[rbx+rcx*4]
vcvtpd2dqy xmm0, 8[rbx+rcx*4]
vcvtpd2phx xmm0, 8[rbx+rcx*4]
vcvtpd2phy xmm0, 8[rbx+rcx*4]
vcvtpd2phz xmm0, 8[rbx+rcx*4]
vcvtpd2psx xmm0, 8[rbx+rcx*4]
vcvtpd2psy xmm0, 8[rbx+rcx*4]
vcvtpd2udqx xmm0, 8[rbx+rcx*4]
vcvtpd2udqy xmm0, 8[rbx+rcx*4]
vcvtps2phxx xmm0, 8[rbx+rcx*4]
vcvtps2phxy xmm0, 8[rbx+rcx*4]
vcvtqq2phx xmm0, 8[rbx+rcx*4]
vcvtqq2phy xmm0, 8[rbx+rcx*4]
vcvtqq2phz xmm0, 8[rbx+rcx*4]
vcvtqq2psx xmm0, 8[rbx+rcx*4]
vcvtqq2psy xmm0, 8[rbx+rcx*4]
vcvttpd2dqx xmm0, 8[rbx+rcx*4]
vcvttpd2dqy xmm0, 8[rbx+rcx*4]
vcvttpd2udqx xmm0, 8[rbx+rcx*4]
vcvttpd2udqy xmm0, 8[rbx+rcx*4]
vcvtudq2phx xmm0, 8[rbx+rcx*4]
vcvtudq2phy xmm0, 8[rbx+rcx*4]
vcvtuqq2phx xmm0, 8[rbx+rcx*4]
vcvtuqq2phy xmm0, 8[rbx+rcx*4]
vcvtuqq2phz xmm0, 8[rbx+rcx*4]
vcvtuqq2psx xmm0, 8[rbx+rcx*4]
vcvtuqq2psy xmm0, 8[rbx+rcx*4]
vmovd r12, xmm19
vmovw r12, xmm0
word
xbegin offset foo
xlat foo
xor 8[rbx+rcx*4], 0x80000000
xorb 8[rbx+rcx*4], -128
xorq 8[rbx+rcx*4], -128
xorw 8[rbx+rcx*4], -128
xrstor byte ptr [rsi]
xrstor64 byte ptr [rsi]
xrstors byte ptr [rsi]
xrstors64 byte ptr [rsi]
xsave byte ptr [rsi]
xsave64 byte ptr [rsi]
xsavec byte ptr [rsi]
xsavec64 byte ptr [rsi]
xsaveopt byte ptr [rsi]
xsaveopt64 byte ptr [rsi]
xsaves byte ptr [rsi]
xsaves64 byte ptr [rsi]
xstorerng
{disp32} mov eax, foo
{disp32} mov eax, ds:4
{disp8} mov eax, foo[rax]
enterq 5, 1
enterw 5, 1
enter 5, 1
lea rax, qword bcst [rip+foo]
prefetcht0 dword bcst [rsp]
mov rax, near ptr [rbx]
movsd xmm0, near ptr [rbx]
call near ptr [rbx]
jmp tbyte ptr [rax]
call tbyte ptr [rax]
shld eax
shrd eax, 4
shld eax, ecx, 4
shldd eax, ecx, 4
