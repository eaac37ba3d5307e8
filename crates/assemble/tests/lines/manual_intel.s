.intel_syntax noprefix
vaddps zmm1, zmm2, dword bcst [rax]
vaddps ymm1, ymm2, DWORD BCST [rax+8]
vaddpd xmm1{k2}, xmm2, qword bcst [rbx]
vaddph zmm1, zmm2, word bcst [rax]
vaddps zmm1, zmm2, dword ptr [rax]{1to16}
vaddps zmm1, zmm2, qword bcst [rax]
vaddps zmm1, zmm2, word bcst [rax]
vcvtpd2ps xmm1, qword bcst [rax]
vfpclassps k1, dword bcst [rax], 3
vfpclasspd k1, qword ptr [rax]{1to8}, 3
vcmpps k1, zmm2, dword bcst [rax], 5
vpternlogd zmm1{k1}{z}, zmm2, dword bcst [rip+0x40], 0x55
vmovaps zmm1, dword bcst [rax]
mov eax, dword bcst [rax]
mov eax, [rbx+rcx*4-8]
mov eax, dword ptr fs:[0x28]
mov rax, QWORD PTR gs:0x10
mov byte ptr [rdi], 5
mov word ptr 4[rsi], 0ffffh
mov [rdi], 5
mov rax, offset 5
movabs rax, 0x1122334455667788
movzx eax, byte ptr [rsi]
movsx rax, word ptr [rsi]
movsxd rax, dword ptr [rsi]
movsx rax, dword ptr [rsi]
push 5
push qword ptr [rax]
push word ptr [rax]
pop fs
call [rax]
call qword ptr [rax+8]
jmp qword ptr [rip+0x10]
jmp rax
jmp fword ptr [rax]
call dword ptr [rax]
retf
ret 8
lea rax, [rip+0x1234]
lea eax, [ebx+ecx]
xchg rax, r8
imul rax, rbx, 5
imul eax, dword ptr [rcx], 1000
shl eax, cl
shl byte ptr [rax], 3
shl dword ptr [rax]
test byte ptr [rax], 1
inc dword ptr [rax]
inc [rax]
fld qword ptr [rax]
fld tbyte ptr [rax]
fadd st, st(3)
fadd st(3), st
fsub st(3), st
fsubr st, st(2)
fstp dword ptr [rsp]
fild word ptr [rcx]
fxch st(3)
fcomi st, st(2)
movsb
rep movsq
movsd
movsd xmm1, qword ptr [rax]
movsd dword ptr es:[rdi], dword ptr [rsi]
lodsd
stosb
scasw
cmpsd xmm1, xmm2, 3
in al, dx
out 0x80, eax
in eax, 5
lock add dword ptr [rax], 1
rep ret
cmpxchg16b xmmword ptr [rdi]
cmpxchg8b qword ptr [rdi]
bound eax, [rcx]
vgatherdps zmm1{k1}, [rax+zmm2*4]
vscatterqpd [rbx+ymm2*8]{k3}, ymm1
vaddps zmm1, zmm2, zmm3{rn-sae}
vaddps zmm1, zmm2, zmm3, {rz-sae}
vcvtsi2sd xmm1, xmm2, rax
vcvtsi2sd xmm1, xmm2, qword ptr [rax]
vcvtsi2sd xmm1, xmm2, [rax]
vmovdqu32 zmm17, zmmword ptr [rsp-64]
vinserti128 ymm1, ymm2, xmmword ptr [rax], 1
pextrb byte ptr [rax], xmm1, 3
pinsrd xmm1, dword ptr [rax], 2
movq rax, xmm1
movd ecx, mm3
movq mm1, qword ptr [rax]
enter 16, 0
int 3
int 0x80
crc32 eax, byte ptr [rcx]
crc32 rax, rcx
tpause ecx
umwait edx
invlpga rax, ecx
monitor
nop
nop word ptr [rax]
xlatb
data16 nop
{evex} vaddps xmm1, xmm2, xmm3
{load} mov eax, ebx
{disp32} mov eax, [rbx+1]
bnd jmp rax
notrack jmp qword ptr [rax]
mov eax, 1 shl 4 or 3
mov eax, not 5
mov eax, (5+3)*2
mov al, 'a'
mov ecx, 10 mod 3
mov edx, 0x10 and 0x1f xor 1
