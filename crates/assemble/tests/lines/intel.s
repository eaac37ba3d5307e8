.intel_syntax noprefix
movsx r12, dword ptr [rsp+12]
movsx r12, eax
retfw
push word ptr [rax]
fsub st(3), st
fsubr st(3), st
fsub st, st(3)
fsubp st(3), st
fdivp st(1), st
fdivrp st(1), st
fadd dword ptr [rax]
fadd qword ptr [rax]
fild word ptr [rax]
fild qword ptr [rax]
fld tbyte ptr [rax]
fadd
fsubp
jmp fword ptr [rax]
jmp far ptr [rax]
call far ptr [rax]
call qword ptr [rax]
jmp rax
jmp [rax]
push 5
push qword ptr [rax]
push word ptr [rax]
push [rax]
movsx eax, byte ptr [rax]
movsx eax, word ptr [rax]
movsxd rax, dword ptr [rcx]
movsd
movsd xmm0, qword ptr [rax]
movsd xmm0, [rax]
stosd
lodsq
movs byte ptr es:[rdi], byte ptr [rsi]
rep movsb
cdqe
cwde
cqo
mov eax, offset foo
mov rax, foo
mov rax, [foo]
lea rax, [rip+foo]
lea rax, foo[rip]
mov eax, dword ptr fs:[0]
mov rax, qword ptr fs:0x28
inc dword ptr [rax]
add dword ptr [rax+rcx*4+8], 5
shl eax, 1
shl eax
shl dword ptr [rax], cl
imul eax, ecx, 5
imul eax, 5
enter 5, 1
in al, dx
out dx, eax
in eax, 5
xchg eax, ecx
test eax, [rcx]
cmpxchg16b xmmword ptr [rax]
movaps xmm0, xmmword ptr [rax]
vaddps zmm1{k1}{z}, zmm2, dword ptr [rax]{1to16}
vcvtpd2ps xmm0, xmmword ptr [rax]
vcvtpd2ps xmm0, ymmword ptr [rax]
vgatherdps xmm1, dword ptr [rax+xmm2*4], xmm3
cvtsi2sd xmm0, rax
cvtsi2sd xmm0, dword ptr [rax]
pinsrw xmm0, eax, 1
movd xmm0, eax
movq xmm0, rax
movq xmm0, qword ptr [rax]
ret
retf
iretq
sysretq
syscall
nop word ptr [rax+rax*1+0x0]
nop
foo: call foo
jne foo
loop foo
movabs rax, 0x1122334455667788
mov rax, 0x1122334455667788
mov al, byte ptr ds:0x5
sldt word ptr [rax]
lgdt [rax]
invlpg [rax]
fxsave [rax]
prefetcht0 byte ptr [rax]
clflush byte ptr [rax]
cmp byte ptr [rip+foo], 0
crc32 eax, byte ptr [rax]
extractps eax, xmm0, 1
xlat byte ptr [rbx]
xlatb
monitor
monitor rax, ecx, edx
mwait eax, ecx
mov rdi,QWORD PTR [rip+0x58748b]
lea rdi,[rip+0x29c978]
cmp BYTE PTR [rsp+0x42],0x0
xor r11,QWORD PTR [rsi+0x8]
lea rsi,[rip+0x4884f5]
movaps xmm7,XMMWORD PTR [rip+0x491433]
lea rdi,[rip+0x149556]
pmaddwd xmm5,XMMWORD PTR [rip+0x902a99]
vpshufb ymm5,ymm5,YMMWORD PTR [rip+0x400029]
test rdi,0x7
test BYTE PTR [r9],0x2
lea r13,[rip+0x1fb6e7]
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48b0a9]
test DWORD PTR [rip+0x3585f40e],esi
cmp r9d,0x9
lea r12,[r14+0x36]
lea r8,[rip+0x7b2bb]
pmaddwd mm6,QWORD PTR [rip+0x90471a]
mov r8d,0x1008
cmp QWORD PTR [rdi+0xe0],0x0
cmp QWORD PTR [rdi+0xc],rcx
movsd xmm0,QWORD PTR [rip+0x203b92]
pextrd DWORD PTR [rdi+0x8],xmm0,0x2
vbroadcasti128 ymm5,XMMWORD PTR [rip+0x3ffa1d]
palignr xmm1,xmm2,0xd
push 0x371
movaps xmm7,XMMWORD PTR [rip+0x4929af]
mov rbx,QWORD PTR [rbp-0x9490]
cmp edi,0x8cb3
lea r10,[rip+0x52f4ad]
mov rbx,QWORD PTR [rsi+0x30]
lea rsi,[rip+0x46d4a4]
lea rsi,[rip+0x13a0db]
mov esi,0x2e5
jmp QWORD PTR [rip+0x3b668a]
mov rdi,QWORD PTR [rip+0x3a61be]
lea rdx,[rip+0x196f02]
vpinsrd xmm7,xmm7,DWORD PTR [r15-0x8],0x1
movdqu xmm1,XMMWORD PTR [rdx+r8*1-0x2]
jmp QWORD PTR [rip+0x3b5cba]
vpbroadcastq zmm17,QWORD PTR [r9-0x20]
movsd xmm1,QWORD PTR [rip+0x46d314]
push QWORD PTR [rip+0x1761e6]
mov QWORD PTR [rip+0x53626e],0x0
jmp QWORD PTR [rip+0x3b50e2]
lea rsi,[rip+0x11b7cc]
lea rdi,[rip+0x8af31]
add ecx,0x430
mulsd xmm0,QWORD PTR [rip+0x9b1c4e]
vmovdqa xmm6,XMMWORD PTR [rdi+0xc0]
lea r13,[rip+0x6ceb6]
movdqu XMMWORD PTR [rdi+r9*1+0x10],xmm5
pmaddwd xmm5,XMMWORD PTR [rip+0x8fe899]
lea rdi,[rip+0x5b058]
vpmaxsd ymm6,ymm6,ymm8
jmp QWORD PTR [rip+0x3b6652]
movsd xmm0,QWORD PTR [rip+0x2041ee]
lea rdi,[rip+0x1477f6]
lea rdx,[rip+0x16a144]
push 0x55
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48d779]
lea rax,[rip+0x5046dc]
mov r9,QWORD PTR [rip+0x2a15a2]
mov rdi,QWORD PTR [r13+0x28]
movaps XMMWORD PTR [rsp],xmm4
movsx r10,BYTE PTR [r10+r9*1]
and edx,0xbfefffff
lea r12,[rbp-0x100]
movd xmm1,DWORD PTR [rip+0x104e20]
pmaddwd xmm5,XMMWORD PTR [rip+0x8fedf7]
mov esi,0x54b
movsxd r15,DWORD PTR [rbx+0x10c]
pmaddwd xmm5,XMMWORD PTR [rip+0xdd74ec]
movdqa xmm7,XMMWORD PTR [rip+0x9aafbe]
movdqa xmm15,XMMWORD PTR [rip+0x41dfc9]
cmp ecx,0x444d4163
mulss xmm1,DWORD PTR [rip+0x485023]
or BYTE PTR [rip+0x10c0f0e],cl
vmovdqu32 ymm19,YMMWORD PTR [rdi+rsi*1+0x40]
movsd xmm1,QWORD PTR [rip+0x478f86]
pshufb xmm4,XMMWORD PTR [rip+0x41d75e]
vpminsw ymm7,ymm7,YMMWORD PTR [rip+0x57e02c]
movups XMMWORD PTR [rax+0x32c0],xmm6
lea rdx,[rip+0x20042a]
lea rsi,[rip+0x47266f]
vmovdqa32 ymm8,ymm18
lea rax,[rip+0xfffffffffffff782]
movlps QWORD PTR [rdi+0x10],xmm2
mov r14d,DWORD PTR [rsp+0x64]
mov DWORD PTR [rbp-0x290],edx
mov ecx,0x6a
mov ecx,0xe10
mov QWORD PTR [rbp+0x160],rax
movsd xmm0,QWORD PTR [rip+0x20400f]
movaps xmm7,XMMWORD PTR [rip+0x49217f]
andpd xmm0,XMMWORD PTR [rip+0x46b891]
lea rcx,[rip+0xa89afc]
cmp DWORD PTR [rbx+0x414],0x3e8
mov DWORD PTR [rsp+rbx*4+0x10],0x0
lea rsi,[rip+0x18e5aa]
vbroadcasti128 ymm6,XMMWORD PTR [rdi+0x180]
mov DWORD PTR [rsp+rbx*4+0x10],edx
lea rdi,[rsp]
mov QWORD PTR [r10+0xb8],0x0
vpermd zmm21,zmm18,zmm21
vpsadbw ymm6,ymm6,ymm3
movzx eax,BYTE PTR [r12+0x80]
vextracti32x8 YMMWORD PTR [rdx+rcx*1],zmm16,0x1
rex.WRB add BYTE PTR [r15+0xd8787],r8b
maxsd xmm4,QWORD PTR [rip+0xe584b6]
vpsubw ymm4,ymm4,ymm0
pmaddwd xmm5,XMMWORD PTR [rip+0x900430]
pmaddwd mm6,QWORD PTR [rip+0x9060ba]
vbroadcasti128 ymm8,XMMWORD PTR [r10+0x160]
vbroadcasti32x8 zmm25,YMMWORD PTR [rip+0x3bd20e]
mov DWORD PTR [r15+0x8],edx
lea rcx,[rip+0x474bc6]
mov WORD PTR [r15-0x2],ax
mulsd xmm1,QWORD PTR [rip+0x47167a]
movzx edx,BYTE PTR [rax+0xc]
vpsadbw xmm0,xmm3,XMMWORD PTR [rsi]
jmp QWORD PTR [rip+0x3b4cb2]
mov DWORD PTR [rbp+rdi*4-0x7080],ecx
movsx eax,BYTE PTR [rbx]
lea rcx,[rip+0x474ab4]
vpmovzxwd ymm3,XMMWORD PTR [rdi+rsi*2]
lea rdx,[rip+0x11aa24]
movdqa xmm0,XMMWORD PTR [rsp+0x278]
lea rax,[rip+0xa328e9]
vmovdqa ymm2,YMMWORD PTR [r9+0x40]
vbroadcasti32x8 zmm23,YMMWORD PTR [rip+0x3c7a84]
vpmovsxwd zmm2,ymm1
lea rcx,[rip+0x474dd4]
lea r8,[rsi-0x4]
lock xadd DWORD PTR [rdi+0x78],eax
paddd xmm2,XMMWORD PTR [rip+0x41afa6]
pmaddwd mm5,QWORD PTR [rip+0x905f97]
lea rdi,[rip+0x146b96]
mov rax,QWORD PTR [rip+0x46f2d9]
mulsd xmm2,QWORD PTR [rip+0x9b39ba]
vpmovzxbw ymm3,XMMWORD PTR [rdx+0x30]
lea rsi,[rip+0x4727b9]
or r9d,0xffffffc0
mov rdi,QWORD PTR [rip+0x5d61e0]
lea rdx,[rip+0x247b0d]
cmp rbp,QWORD PTR [rip+0x49d663]
lea r9,[rip+0xb901b2]
pmaddwd xmm5,XMMWORD PTR [rip+0x900952]
vpaddd xmm0,xmm0,XMMWORD PTR [rip+0x4990ec]
lea rdi,[rip+0x8b707]
vbroadcasti128 ymm5,XMMWORD PTR [rip+0x418db6]
vpand ymm2,ymm2,YMMWORD PTR [rip+0x57dbd3]
pmaddwd xmm5,XMMWORD PTR [rip+0x8fe377]
mov r14,QWORD PTR [rsp+0x190]
lea rax,[rip+0x3202]
lea rdi,[rip+0x11b099]
lea rdx,[rip+0x193c54]
jmp QWORD PTR [rip+0x3b61ea]
lea rdx,[rip+0x8a98c]
paddd xmm6,XMMWORD PTR [rip+0x8a312f]
movdqu xmm3,XMMWORD PTR [rbx+0xac]
mov DWORD PTR [rdx-0x34],ecx
lea rsi,[rip+0x480a99]
push 0x429
lea r9,[rip+0x5ec06a]
lea rdi,[rip+0x29c99c]
mov r10b,BYTE PTR [rdi]
movsd xmm2,QWORD PTR [rip+0x478837]
movsd xmm0,QWORD PTR [rip+0x203bef]
mov rdx,QWORD PTR [rbp-0x9470]
movdqu XMMWORD PTR [rdi+rsi*1+0x70],xmm1
lea rdx,[r10+0x70]
movdqa xmm5,XMMWORD PTR [rip+0x41bac8]
lea rsi,[rip+0xfffffffffffffdf3]
lea rdx,[rip+0xffffffffffffff78]
mulsd xmm2,QWORD PTR [rip+0x478efa]
mov edx,0x720460
lea rcx,[rip+0xa89513]
movd DWORD PTR [rdi+r8*1],xmm3
lea rdx,[rip+0xffffffffffffea19]
pmaddubsw xmm4,XMMWORD PTR [rcx+0xc0]
lea rdi,[rip+0x147fc6]
pmaddwd xmm8,XMMWORD PTR [rip+0x90379f]
add rax,0x780
pmaddwd mm5,QWORD PTR [rip+0x905e3f]
or r12d,0x67
jmp QWORD PTR [rip+0x3b4fc2]
palignr xmm5,xmm2,0x8
cmp QWORD PTR [rax+0x10],0x1
movq xmm0,QWORD PTR [rip+0xb64fd2]
movups XMMWORD PTR [rax+0x2af8],xmm5
cmp al,0x62
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff9b4]
lea rdx,[rip+0x11c3b9]
mov r14d,0x24
mov DWORD PTR [rdi+0x90],eax
lock xadd DWORD PTR [rdi],eax
movsd xmm0,QWORD PTR [rip+0x84e65]
lea r9,[r9+r8*8+0x8]
pshuflw xmm1,xmm5,0x4e
mov DWORD PTR [rbp+0xd0],ecx
comisd xmm0,QWORD PTR [rip+0xa84ecb]
lea rdi,[rip+0x13ab13]
add rsp,0x838
mov DWORD PTR [r9+rdx*1-0x4],eax
lea rdi,[rip+0x16cc06]
lea r8,[rip+0xa9e3a5]
mov WORD PTR [rsp+0x20],cx
vmovdqu32 ymm21,YMMWORD PTR [r8+rdx*1]
punpckhwd xmm6,xmm10
vmovdqu ymm0,YMMWORD PTR [rsi+0x40]
jmp QWORD PTR [rip+0x3b6112]
movsd xmm0,QWORD PTR [rip+0x20397f]
pmaddwd xmm5,XMMWORD PTR [rip+0x9002ef]
pmaddwd xmm5,XMMWORD PTR [rip+0x8fe4b8]
vpaddd xmm5,xmm5,xmm2
movzx eax,BYTE PTR [rsi+0x5]
lea rsi,[rip+0x8e128]
cmp DWORD PTR [rsp+0x58],0x83f
setbe r9b
vmovdqa32 zmm26,ZMMWORD PTR [rip+0xb7483f]
cmp rcx,0xffffffe
lea rsi,[rip+0xeec715]
vpmaddwd zmm17,zmm25,zmm28
vmovdqa32 zmm17,ZMMWORD PTR [rsi+0x40]
movsd xmm0,QWORD PTR [rip+0x204196]
lea rdx,[rip+0x8f96c]
vpermw zmm5,zmm9,zmm6
pmaddwd xmm5,XMMWORD PTR [rip+0x90150c]
jmp QWORD PTR [rip+0x3b52a2]
mov ecx,DWORD PTR [rbp+0x2c8]
mov esi,0x4e63ce
movsd xmm0,QWORD PTR [rip+0x2039c3]
cmp QWORD PTR [rax],r14
vpextrq rsi,xmm1,0x1
lea rax,[rip+0x193b49]
mov r8,QWORD PTR [rdx+0x180]
lea rdx,[rip+0x15f977]
lea r9,[rip+0x5d912a]
lea rsi,[rip+0xfffffffffffff1b5]
vpmaxsd ymm0,ymm0,ymm5
lea rcx,[rip+0xffffffffffe659c0]
mov r14,QWORD PTR [rbp+0x70]
cmp DWORD PTR [rbx+0x38],0x3
lea rdi,[rip+0x89d67]
lea rdi,[rip+0x88a66]
lea rdx,[rip+0x11cf2b]
lea rsi,[rip+0xfffffffffffffc2c]
vmovdqu YMMWORD PTR [rcx],ymm2
mov QWORD PTR [rip+0x21712e],rbx
lea rbx,[rip+0x229f69]
rol edx,0x7
mov DWORD PTR [rcx+0x2c0],0xffffffff
mov r11,0x8
movdqa xmm10,XMMWORD PTR [rdi+0x70]
lea rdi,[rip+0x78b06]
vbroadcasti32x8 zmm26,YMMWORD PTR [rip+0x1a4dd7]
vmovdqa ymm2,ymm6
sub r10w,WORD PTR [rsi-0x2]
vbroadcasti32x8 zmm19,YMMWORD PTR [rip+0xbaeab9]
movsd xmm0,QWORD PTR [rip+0x4dc6d6]
mov rdi,QWORD PTR [rip+0x586e00]
mov esi,DWORD PTR [rbp+0x374]
addsd xmm2,QWORD PTR [rip+0x48b1fe]
punpckhwd xmm13,xmm12
vpackssdw ymm10,ymm10,ymm14
rol eax,0xb
lea rdi,[rip+0x16cbe6]
jmp QWORD PTR [rip+0x3b6b5a]
test BYTE PTR [rbx+0x18],0x30
sub rsi,QWORD PTR [rax+rcx*8]
lea rcx,[rip+0x48c642]
mov DWORD PTR [r13+0x0],ebx
pmaddwd xmm5,XMMWORD PTR [rip+0x901b6f]
add dx,WORD PTR [rsi+rcx*2]
pmaddwd xmm5,XMMWORD PTR [rip+0x9044ac]
mov DWORD PTR [rsp-0x24],r12d
pmaddwd xmm5,XMMWORD PTR [rip+0x90455b]
lea rdi,[rip+0x21740f]
lea r15,[rip+0x532416]
sub esi,DWORD PTR [rbp-0x250]
xor dl,BYTE PTR [r14+rax*1+0x30]
lea rax,[rip+0x2309c1]
movaps xmm7,XMMWORD PTR [rip+0xe33826]
paddd xmm2,XMMWORD PTR [rip+0x41a4af]
lea rdx,[rip+0x124c4c]
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48b8af]
lea rdx,[rip+0x52f79d]
lea rsi,[rcx-0x10]
lea rax,[rip+0xc65]
lea rdi,[rip+0x1496f6]
mov rdi,QWORD PTR [rbx+0x300]
vpshufb ymm1,ymm1,YMMWORD PTR [rip+0x430ba3]
mov BYTE PTR [r15+0x20],al
pmaddwd xmm5,XMMWORD PTR [rip+0x8fe5ff]
lea rax,[rip+0x4c3e01]
mov DWORD PTR [rbx+0x1a0],r13d
comisd xmm0,QWORD PTR [rbx+0x1f8]
vmovdqa ymm10,YMMWORD PTR [rip+0x3ff8f7]
lea r9,[rip+0xfffffffffffff96e]
vpaddb xmm2,xmm2,xmm3
palignr xmm5,xmm3,0x4
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff08e]
pmaddwd xmm5,XMMWORD PTR [rip+0x8fea22]
pmaddwd mm5,QWORD PTR [rip+0x904c9d]
lea rdx,[rip+0x89b1c]
jmp QWORD PTR [rip+0x3b58b2]
jmp QWORD PTR [rip+0x3b5dfa]
jmp QWORD PTR [rip+0x3b55aa]
lea rdi,[rip+0x169eb0]
pmaddwd mm6,QWORD PTR [rip+0x905b0c]
lea rsi,[rip+0x69e8f]
shl rax,0x2c
lea esi,[rax+rbp*2]
vmovdqu XMMWORD PTR [rax+rdx*1],xmm14
mov r8d,DWORD PTR [rsi+rdx*1+0x8]
lea rdi,[rip+0x84e3b]
mov WORD PTR [rcx+rax*1-0x2],dx
pmaddwd xmm0,XMMWORD PTR [r9+0xb0]
vbroadcasti32x4 zmm25,XMMWORD PTR [rip+0xb81929]
mov DWORD PTR [rbx+0x194],eax
mov eax,DWORD PTR [rsp+0xa0]
jmp QWORD PTR [rip+0x3b3752]
movsd xmm5,QWORD PTR [rip+0x4720b0]
jmp QWORD PTR [rip+0x3b44ba]
movzx eax,WORD PTR [r8+0xc]
vbroadcasti32x4 zmm17,XMMWORD PTR [r9-0x50]
push QWORD PTR [rip+0x17549e]
vbroadcasti32x8 zmm5,YMMWORD PTR [rip+0x5f6851]
vmovdqu ymm2,YMMWORD PTR [rdi]
cmovns rax,r9
lea rax,[rip+0x4fe3b1]
vpand ymm0,ymm0,YMMWORD PTR [rip+0x57d7fd]
lea rdx,[rip+0x13c42c]
lea rbx,[rip+0x236e6e]
mov edi,0x984580
lea r14d,[rbx-0x5ab00ac6]
lea rcx,[rip+0xa897d7]
lea r8,[rip+0x89c63]
lea rax,[rdx+0xa5b740]
mov BYTE PTR [rax],0x4e
lea eax,[r14d-0x1]
mov QWORD PTR [rip+0x526a75],r12
cmp BYTE PTR [r12+0x929d9],0x0
pmaddwd xmm0,XMMWORD PTR [r8+0x30]
movdqu xmm3,XMMWORD PTR [rsi+r8*2+0x70]
lea rdx,[rip+0x11b223]
movdqa xmm1,XMMWORD PTR [r10+0x30]
sub rsp,0x18
vpsubw zmm17,zmm17,zmm19
lea rdx,[rip+0x17aba4]
cmp QWORD PTR [r12+0x78],0x0
cmp ecx,0x400
mov rax,QWORD PTR [rip+0x5a4d7d]
mov QWORD PTR [r15+0x240],rbp
movsd xmm0,QWORD PTR [rip+0x20420b]
movsx rcx,BYTE PTR [rcx-0x3]
vmovdqa ymm6,YMMWORD PTR [rdi]
movsd xmm0,QWORD PTR [rip+0x204809]
pmaddwd xmm5,XMMWORD PTR [rip+0x90408e]
jmp QWORD PTR [rip+0x3b4752]
cmp edx,0x33
mov rdi,QWORD PTR [rbx+0x240]
vphsubw ymm0,ymm8,ymm1
mov esi,0x76707b
mov rax,QWORD PTR [rip+0x473429]
push 0x310
mov BYTE PTR [rbx+0x28],cl
vpunpckhdq ymm5,ymm5,ymm7
mov QWORD PTR [rbx+0xa8],rdx
push 0x9e6
mov QWORD PTR [rbp+0x70],0x0
lea rax,[rbp+r9*4+0x0]
xor edx,0xf
mov QWORD PTR [rdi+0x68],r8
paddd xmm6,XMMWORD PTR [rip+0x8a3285]
pmaddwd xmm5,XMMWORD PTR [rip+0x90057a]
movdqa xmm0,XMMWORD PTR [rip+0x145ece]
cmp rsi,0x3e8
jmp QWORD PTR [rip+0x3b658a]
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff49e]
movsxd rdx,DWORD PTR [rbx+0x130]
movzx edx,BYTE PTR [rbx+0x2]
mov rax,QWORD PTR [rip+0x478061]
cmp rax,0x506110
cmove r12,rsi
movsd xmm0,QWORD PTR [rip+0x203d00]
vpaddd zmm18,zmm18,zmm19
lea rcx,[rip+0x4782c7]
comiss xmm0,DWORD PTR [rip+0x48a1e2]
imul esi,ecx
vbroadcasti32x4 zmm17,XMMWORD PTR [r9+0x10]
or r12d,0x79
pmaddwd xmm5,XMMWORD PTR [rip+0x901cb9]
rol r13d,0x1e
vpmovzxbw ymm0,XMMWORD PTR [rdx+rcx*1]
mov rax,QWORD PTR [rip+0x3f325f]
mov DWORD PTR [rbp-0x9560],r9d
pmaddwd xmm5,XMMWORD PTR [rip+0x903b79]
jmp QWORD PTR [rip+0x3b5dba]
mov edx,0x14d
mulsd xmm0,QWORD PTR [rip+0x48c652]
lea rcx,[rip+0x89f8a9]
cmp DWORD PTR [rax+0x18],0x494
movzx ecx,BYTE PTR [r10+0x8]
lea rdi,[rip+0x48ba98]
vmovhlps xmm6,xmm6,xmm0
lea rdx,[rip+0x13b9f5]
mov BYTE PTR [rbp+0x0],0x2e
mov rax,QWORD PTR [rbp-0x628]
lea rdx,[rip+0x16a0fc]
movsd xmm0,QWORD PTR [rip+0x203974]
xor r11,QWORD PTR [rbp+rdi*8+0x1]
add ebx,DWORD PTR [rsp+0x94]
mov DWORD PTR [rbx+0x3e0],eax
lea r8,[rip+0x8ab2a]
lea rsi,[rip+0xfffffffffffff082]
lea rdi,[rip+0x885c0]
ror edx,0xc
movaps XMMWORD PTR [rip+0x5352d8],xmm0
sub dl,0x1
mov QWORD PTR [rbp-0x93e0],rdi
lea rsi,[rip+0x8efba]
lea rsi,[rip+0x4c680]
movdqa xmm2,XMMWORD PTR [rip+0x1c86c0]
mov DWORD PTR [rbx+0x38c],eax
lea r12,[rsp+0x170]
lea r9,[rip+0xffffffffffffe63e]
movhps xmm6,QWORD PTR [rsi+r9*1-0x1]
pmaddwd xmm3,XMMWORD PTR [rip+0x9021b2]
lea rdx,[r12+0x1c]
vmovd xmm11,DWORD PTR [r12-0x14]
lea r8,[rbx+0x8]
lea rdi,[rip+0x169e00]
mov rdx,QWORD PTR [rip+0x4bc7a2]
cmp DWORD PTR [r13+rcx*4+0x0],eax
lea rdi,[rip+0x8a17e]
mov rcx,QWORD PTR [rbp-0x9420]
lea r8,[rip+0xa97abb]
lea r8,[rip+0x41f343]
movsd xmm0,QWORD PTR [rip+0x204343]
movsd xmm0,QWORD PTR [rip+0x46e3fc]
cmp r14,0x30
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff1cf]
movsd xmm1,QWORD PTR [rip+0x47465e]
lea rdx,[rip+0x8b6b5]
lea rsi,[rip+0x168ffd]
push QWORD PTR [r14+0x188]
mov eax,DWORD PTR [r10+0x2c]
lea rdx,[rip+0x23fe86]
push 0x276
movdqa xmm7,XMMWORD PTR [rip+0x48f23e]
mulsd xmm3,QWORD PTR [rip+0x48a786]
vmovdqa xmm6,XMMWORD PTR [rdi+0xa0]
lea rsi,[rip+0x66cf2]
lea rsi,[rip+0x8ea7c]
mov r8d,DWORD PTR [r8+r13*4]
neg edx
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48a8a9]
lea rdx,[rip+0x1874c4]
mov rsi,QWORD PTR [rip+0x38b882]
movsd xmm0,QWORD PTR [rip+0x203c1a]
adc r15,QWORD PTR [rdi+0x78]
pmaddwd mm6,QWORD PTR [rip+0x905288]
phaddd xmm4,xmm4
mov rsi,QWORD PTR [rdi+rax*8]
lea rdx,[rip+0x18def0]
mov rsi,QWORD PTR [rip+0x44bc69]
mov DWORD PTR [r15+r11*4],eax
mov esi,DWORD PTR [r11+rsi*4]
add r14,0x18
movsd xmm1,QWORD PTR [rip+0x471885]
vpmadd52luq zmm22,zmm8,zmm0
lea rdx,[rip+0xffffffffffffcbb7]
mov edi,0xa65498
movsd xmm0,QWORD PTR [rip+0x20348f]
paddd xmm8,XMMWORD PTR [rip+0x419acd]
lea rdx,[rip+0x11cfdd]
movaps XMMWORD PTR [rsp],xmm5
punpckhqdq xmm5,xmm1
vbroadcasti32x4 zmm5,XMMWORD PTR [r9+0x10]
vpunpckhqdq xmm17,xmm21,xmm21
maxsd xmm0,QWORD PTR [rip+0x477caa]
mov rsi,QWORD PTR [rip+0x51858a]
mov ebp,DWORD PTR [r10+0x30]
mulsd xmm2,QWORD PTR [rip+0x47741f]
cmp rax,0x1fffff
pmaddwd mm5,QWORD PTR [rip+0x904813]
mov esi,0x7686bd
lea rbp,[rip+0x17e0ae]
mov QWORD PTR [rax+0x648],rdi
lea r9,[rip+0xb7c832]
mov DWORD PTR [r13+0x0],0x6
cmovns rax,r14
mov r13d,DWORD PTR [rsp+0x58]
pmaddwd xmm5,XMMWORD PTR [rip+0x900d27]
movdqa xmm4,XMMWORD PTR [rip+0x43729a]
lea rsi,[rip+0x8dee8]
jmp QWORD PTR [rip+0x3b59d2]
rol edx,0xb
lea rsi,[rip+0x24bee1]
movsd xmm6,QWORD PTR [rip+0x476bd3]
lea rdi,[rip+0x146ba6]
lea rsi,[rip+0x46f832]
vpsubd ymm6,ymm6,ymm1
andps xmm0,XMMWORD PTR [rip+0x46a958]
lea rsi,[rip+0x3730f]
vpmadd52huq zmm19,zmm10,zmm1
mov QWORD PTR [r14],rsi
mov r15,QWORD PTR [rip+0x51c176]
lea rdi,[rip+0x8b4b1]
lea rax,[rip+0xa33ca1]
mov rdi,QWORD PTR [rip+0x4d3e21]
vpunpckldq ymm15,ymm4,ymm5
lea rdx,[rip+0x8bc55]
lea rdx,[rip+0x11c972]
vmovdqu ymm2,YMMWORD PTR [rdx+rcx*1+0x40]
movsd xmm5,QWORD PTR [rip+0x470238]
lea r11,[rdx+r15*1]
movq xmm0,QWORD PTR [rip+0xb5fe46]
mulsd xmm2,QWORD PTR [rip+0x470d5c]
cmp DWORD PTR [rbx+0x33c],0x2
lea rsi,[rip+0x4720bf]
movsd xmm0,QWORD PTR [rip+0x204244]
lea rsi,[rip+0x472bc5]
vpmadd52huq ymm18,ymm4,YMMWORD PTR [rcx+0x60]
vbroadcasti32x8 zmm25,YMMWORD PTR [rip+0x43a3ea]
movdqa xmm7,XMMWORD PTR [rip+0x48eb1e]
lea rsi,[rip+0x472564]
push 0x392
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48a09f]
mov rbp,QWORD PTR [rip+0x4bbd10]
pmaddwd mm5,QWORD PTR [rip+0x90557f]
lea rsi,[rip+0x47f2e2]
mov r14,QWORD PTR [rax+r13*8]
mov rdi,QWORD PTR [rip+0x49c084]
cmp QWORD PTR [r14+0x32980],rsi
and BYTE PTR [r14],0xfc
movdqa xmm0,XMMWORD PTR [rip+0x145e5e]
adcx r12,r14
jmp QWORD PTR [rip+0x3b541a]
mov rax,QWORD PTR [rip+0x43a769]
lea rcx,[rip+0x4803ca]
lea rsi,[rip+0x4716bd]
mov QWORD PTR [r15+0x300],rax
mov eax,0x17
or r12d,0x61
add QWORD PTR [rsi+0x8],0x1
lea rcx,[rip+0x8a808b]
jmp QWORD PTR [rip+0x3b63ca]
jmp QWORD PTR [rip+0x3b620a]
mov QWORD PTR [rax+r8*8+0x100],0x0
mov DWORD PTR [rbx+0x430],eax
mov DWORD PTR [rsi+0x10],eax
movsd xmm0,QWORD PTR [rip+0x203a16]
lea r14d,[r14+rax*1+0x5a827999]
lea r10,[rbp+r15*1-0x2]
add ecx,r14d
lea rdx,[rip+0x247992]
call QWORD PTR [rip+0x51a3e2]
paddd xmm1,XMMWORD PTR [rip+0x41b0ea]
lea rdx,[rip+0x8b985]
lea rsi,[rip+0x483e03]
punpckhwd xmm6,xmm0
comisd xmm6,QWORD PTR [rip+0x474483]
movups XMMWORD PTR [rax+0x3c08],xmm8
vmovdqu YMMWORD PTR [rsi+0x60],ymm10
lea rsi,[rip+0x6d25f]
vphadduwd xmm5,xmm5
lea rcx,[rax+0x8]
xor BYTE PTR [rbp+0x0],0x1
lea rsi,[rip+0x47214b]
paddd xmm2,XMMWORD PTR [rip+0xdc1271]
mov rdx,QWORD PTR [r14]
jmp QWORD PTR [rip+0x3b69ca]
lea rsi,[rip+0x47762d]
movsd xmm0,QWORD PTR [rip+0x203511]
xor esi,DWORD PTR [rdx+0x34]
lea rdi,[rip+0x146176]
add DWORD PTR [rbx-0xa],edx
sub r14,r13
movsd xmm0,QWORD PTR [rip+0x203b98]
movdqu xmm4,XMMWORD PTR [rdx+r8*2+0x20]
packssdw xmm4,xmm0
lea rdx,[rip+0x11c4a4]
movsxd rdi,DWORD PTR [r14+0x44]
lea r8,[rip+0xa9dbfa]
lea rsi,[rip+0x16b9d0]
lea r12,[rax+0x1c]
lea r8,[rip+0x585b0]
jmp QWORD PTR [rip+0x3b5b62]
vpmovsxbw ymm3,xmm0
punpckhqdq xmm0,xmm3
movsd xmm0,QWORD PTR [rip+0x20368e]
mov eax,DWORD PTR [rip+0x2173f8]
lea rdi,[rip+0x78268]
movdqa xmm5,XMMWORD PTR [rip+0x1c84c7]
jmp QWORD PTR [rip+0x3b5192]
paddd xmm4,XMMWORD PTR [rip+0x89b15e]
push 0x96b
lea rdx,[rip+0x25263c]
ror eax,0xd
push 0x874
vpmaddwd ymm13,ymm7,ymm13
movzx ebx,BYTE PTR [rbp+0x48]
pmaddwd mm6,QWORD PTR [rip+0x905d18]
add r14d,r15d
pmaddwd xmm5,XMMWORD PTR [rip+0x903cd0]
vpunpcklqdq ymm8,ymm8,ymm5
pmaddwd mm6,QWORD PTR [rip+0x9056cf]
movsd xmm1,QWORD PTR [rip+0x46e63b]
lea rsi,[rip+0x1cd43]
lea eax,[rax+rcx*1+0x4]
lea rax,[rip+0x29fe11]
vmovdqu xmm6,XMMWORD PTR [r8+r9*1]
lea r9,[rip+0xffffffffffffdece]
cmp r9,0x7ff
movsd xmm0,QWORD PTR [rip+0x203d50]
lea rdx,[rip+0xe3beb8]
lea rdx,[rip+0x18338f]
mov r12d,DWORD PTR [rsp+0x14]
lea rsi,[rip+0x4b56ba]
lea rsi,[rip+0x19dc44]
pmaddwd xmm3,XMMWORD PTR [rip+0x903222]
movdqu xmm3,XMMWORD PTR [r12+0x104]
movdqa xmm5,XMMWORD PTR [r8]
movdqa xmm5,XMMWORD PTR [rip+0x438b3e]
vpshufb ymm6,ymm6,YMMWORD PTR [rip+0x3fff58]
pxor xmm2,xmm8
add r10d,DWORD PTR [rsp+0xbc]
cmp QWORD PTR [r15+0x6d8],0x0
mov eax,0x2
lea rdi,[rax+0x11]
movlps QWORD PTR [rdi],xmm2
sar rdx,0x4
mov esi,DWORD PTR [r12+0x18]
movsd xmm0,QWORD PTR [rip+0x2034cd]
lea r8,[rip+0x8ad1b]
mov rax,QWORD PTR [rip+0xa2baf0]
lea r14,[rip+0xfffffffffff89734]
lea rax,[rip+0x502da8]
cmp r15,0x12
pmaddwd mm5,QWORD PTR [rip+0x905373]
mov r13,QWORD PTR [rax+0xc8]
cmp bl,r10b
pmaddwd xmm0,XMMWORD PTR [rcx+0x70]
vpmadd52huq zmm21,zmm10,zmm2
lea rdx,[rip+0xe3bd98]
pmaddwd xmm7,XMMWORD PTR [rip+0x903892]
vbroadcasti32x8 zmm23,YMMWORD PTR [rip+0x3cb824]
lea rcx,[rip+0x171eca]
vpbroadcastd ymm5,DWORD PTR [rip+0x41b538]
vpsrad zmm13,zmm13,0x8
movdqa xmm5,XMMWORD PTR [rip+0x4207b8]
and dh,0xfe
lea rdi,[rip+0x193890]
mov DWORD PTR [rip+0x217c94],eax
mov rbp,QWORD PTR [r12+0xf8]
movdqu xmm0,XMMWORD PTR [rsi+rdx*1]
movdqu xmm0,XMMWORD PTR [rbx+0x20]
cmp QWORD PTR [rip+0x49db63],rdi
vmovd DWORD PTR [rcx+0x140],xmm21
add r9d,DWORD PTR [rsp+0xa4]
pmaddwd xmm5,XMMWORD PTR [rip+0x8ffd95]
movdqu xmm1,XMMWORD PTR [rip+0x439664]
lea rdx,[rip+0x7878b]
mov esi,0x8a7cd5
pslldq xmm2,0x4
mulsd xmm0,QWORD PTR [rip+0x9b1a70]
movsd xmm3,QWORD PTR [rip+0x47331e]
lea rsi,[rip+0x46f795]
add cl,BYTE PTR [rdi+r9*4+0x3]
mov BYTE PTR [rsp+rbx*1+0x10],0x2e
lddqu xmm5,[rdx+rax*1]
cmp edi,0x1000
lea rsi,[rip+0x18dcdb]
lea rdx,[rip+0xfffffffffffffcd7]
mov DWORD PTR [rbx+0x344],eax
vextracti32x8 YMMWORD PTR [rdi+r9*1],zmm17,0x1
mov edi,DWORD PTR [rax*4+0x6ea2a0]
lea rdi,[rip+0x13b4cb]
vbroadcasti32x8 zmm18,YMMWORD PTR [rip+0x1a21d5]
lea rdx,[rip+0x89cec]
movsd xmm0,QWORD PTR [rip+0x20458b]
lea rdx,[rip+0x8529f]
movhlps xmm2,xmm5
sub QWORD PTR [rip+0x3bc97e],0x1
lea rdi,[rip+0x29fdd0]
vbroadcasti32x8 zmm18,YMMWORD PTR [rip+0x1a63b5]
mov rax,QWORD PTR [rip+0x47359f]
mov QWORD PTR [rdi-0x10],rsi
addsd xmm0,QWORD PTR [rip+0x46e1cc]
vpshufb ymm8,ymm8,ymm15
cmp DWORD PTR [r8+rax*8],edx
mov r11d,DWORD PTR [rdi+rdx*4]
lea rax,[rip+0x5042fb]
cmovb rax,r11
movsd xmm0,QWORD PTR [rip+0x20430a]
mov DWORD PTR [rsp+0x54],ebp
lea rdi,[rip+0x14a1b6]
jmp QWORD PTR [rdi*8+0x8bfc68]
paddd xmm4,XMMWORD PTR [rip+0x89b39d]
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff5e8]
lea rsi,[rip+0x2506d8]
call QWORD PTR [r14+0x340]
pmaddwd xmm5,XMMWORD PTR [rip+0x900e68]
lea rsi,[rip+0x9b0b79]
jmp QWORD PTR [rip+0x3b5aea]
movsd xmm0,QWORD PTR [rip+0x203adc]
lea rbp,[rip+0x18de76]
addsd xmm0,QWORD PTR [rip+0x4724d0]
lea rdi,[rip+0xe3bc2b]
cmp dil,0x20
vpsrad zmm31,zmm31,0x6
mov rax,QWORD PTR [rip+0x472deb]
test BYTE PTR [rax+0x10],0x2
lea rax,[rip+0x524212]
movsxd rbp,DWORD PTR [rip+0x29e8cb]
movsd xmm0,QWORD PTR [rip+0x204352]
lea rsi,[rip+0xfffffffffffffd72]
vpaddd xmm5,xmm5,XMMWORD PTR [rip+0x48d490]
cmp QWORD PTR [r12+0x38],0x0
lea rdi,[rip+0x61ef8]
mov BYTE PTR [rdi+0x1],sil
mov QWORD PTR [rdi+0xd8],0x0
mov rdi,QWORD PTR [rip+0x4a4956]
jmp QWORD PTR [rip+0x3b59f2]
jmp QWORD PTR [rip+0x3b5a92]
lea rdi,[rip+0x16927a]
lea rdx,[rip+0x11d32d]
mov edi,0x1a7
vmovhps QWORD PTR [rsi+r9*1-0x1],xmm5
and esi,0xff0000
add r11b,BYTE PTR [r9+r10*4+0x3]
mov rdx,QWORD PTR [rdi+0xe0]
movdqa xmm15,XMMWORD PTR [rip+0xdc4a6c]
mov r14,QWORD PTR [rdx+0x2028]
vbroadcasti32x8 zmm19,YMMWORD PTR [rip+0x418549]
mov rax,QWORD PTR [rip+0x3baf90]
lea rsi,[rip+0x476583]
lea rax,[rip+0x508595]
mov rax,QWORD PTR [rdi+0xc0]
mov r8,QWORD PTR [rdi+0x48]
lea rcx,[rip+0x17250a]
vpunpcklqdq ymm22,ymm19,ymm18
movsd xmm0,QWORD PTR [rip+0x204242]
lea rdi,[rip+0x63f10]
lea r12,[rip+0x13c1fa]
mov edx,0xe0
mov edx,DWORD PTR [rbx+0x12ab4]
movdqa xmm13,XMMWORD PTR [rsp+0x328]
lea rcx,[rip+0xffffffffffe82eb0]
movaps XMMWORD PTR [rsp+0xc0],xmm2
pmaddwd xmm5,XMMWORD PTR [rip+0x9018e4]
lea rsi,[rip+0x828d5]
pmaddwd xmm5,XMMWORD PTR [rip+0x903582]
lea rax,[rip+0x13c3b7]
lea rcx,[rip+0x484d4e]
vpmovzxbw zmm19,YMMWORD PTR [rdx+rcx*1+0x20]
cmp edi,0x9678
pmaddwd xmm5,XMMWORD PTR [rip+0x903f3b]
lea rdi,[rip+0x2282a9]
mov BYTE PTR [rdi+rdx*1],sil
mov DWORD PTR [r14+0x30],eax
jmp QWORD PTR [rip+0x3b5eb2]
lea rcx,[rip+0xa89174]
cmp DWORD PTR [rbp-0x4],eax
lea rcx,[rip+0x477a1c]
lea rsi,[rip+0x487182]
movss xmm4,DWORD PTR [rbp-0x88]
mov esi,DWORD PTR [rax+rdi*4]
push 0x379
cmp rax,QWORD PTR [r10+0x2198]
lea rdx,[rip+0x4fb718]
pmaddwd xmm5,XMMWORD PTR [rip+0x901137]
lea rax,[rip+0x524511]
lea r8,[rip+0x41d500]
pmaddwd xmm7,XMMWORD PTR [rip+0x902e88]
jmp QWORD PTR [rip+0x3b48b2]
lea rcx,[rip+0x474a06]
lea rsi,[rip+0x16a3e8]
lea rax,[rip+0xfffffffffffffad5]
movsd xmm0,QWORD PTR [rip+0x203988]
xor r10,QWORD PTR [rsi]
lea rdi,[rip+0x147fd6]
lea r13,[rip+0x13c290]
lea ecx,[r12-0x1]
pmaddwd mm4,QWORD PTR [rip+0x9049fa]
movss xmm7,DWORD PTR [rip+0x48a576]
movsd xmm0,QWORD PTR [rip+0x2039c7]
push 0x451
lea rdx,[rip+0x4f806e]
movups XMMWORD PTR [rsp+0x58],xmm3
mov r8d,DWORD PTR [rax+0x3fc]
lea r8,[rip+0x7b621]
lea r8,[rip+0x4c4b30]
lea r9,[rip+0xfffffffffffff3a6]
pmaddwd mm5,QWORD PTR [rip+0x9057b6]
paddw mm3,mm4
vpmaddubsw zmm19,zmm19,zmm22
mov DWORD PTR [rbx+rax*4+0x200],0x0
mov DWORD PTR [rsp-0x28],ebp
jmp QWORD PTR [rip+0x3b5e1a]
movsd xmm0,QWORD PTR [rip+0x203bb3]
pmaddwd xmm5,XMMWORD PTR [rip+0x901281]
mov DWORD PTR [rsp+0x1c],0x1
lea rdi,[rip+0x75763]
movabs rcx,0x79e730d418a9143c
movsd xmm0,QWORD PTR [rip+0x203c0b]
mov rax,QWORD PTR [rbp-0x93e0]
movsd xmm0,QWORD PTR [rip+0x203b90]
lea rdx,[rip+0x11d027]
lea rsi,[rip+0x47608b]
lea rsi,[rip+0x18deb1]
pshufd xmm3,xmm3,0x9c
lea rax,[rip+0x2652d9]
palignr xmm5,xmm1,0xe
mov esi,0x8a7cf3
movsd xmm0,QWORD PTR [rip+0x4735bb]
mov rdi,QWORD PTR [rip+0x2173b9]
lea rsi,[rip+0x90307]
cmp BYTE PTR [rbx+0x18],0x0
movsd xmm2,QWORD PTR [rip+0x46c59d]
xor r10d,DWORD PTR [rbp+r9*4+0x0]
lea rax,[rip+0x8baf9]
pmaddwd xmm5,XMMWORD PTR [rip+0x8ff319]
cmp rax,0xbff
movdqa xmm0,XMMWORD PTR [rip+0x421d58]
lea rsi,[rbp+0x1f8]
lea rdx,[rip+0x1faea0]
mov r14,QWORD PTR [rcx]
vpmaddwd zmm26,zmm19,zmm3
pmaddwd mm4,QWORD PTR [rip+0x904b01]
psignw xmm1,xmm0
pmaddwd mm5,QWORD PTR [rip+0x904eea]
lea rdi,[rip+0x29c951]
mov edi,DWORD PTR [rbx+0x45c]
mov r15d,DWORD PTR [rdi+rcx*4]
mov edi,0x9d7380
mov ecx,0x4d
pmaddwd xmm5,XMMWORD PTR [rip+0x8ffc4b]
lea rsi,[rip+0x17a62e]
jmp QWORD PTR [rip+0x3b637a]
lea rdx,[rip+0x1fbed7]
pmaddwd xmm5,XMMWORD PTR [rip+0x8ffed6]
pmaddwd xmm5,XMMWORD PTR [rip+0x9017a3]
lea rax,[rip+0xffffffffffffe23a]
mov WORD PTR [rdi],r8w
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48c895]
movsxd rdx,DWORD PTR [r15+0x18]
lea rcx,[rip+0xa89458]
lea rcx,[rip+0x171caa]
or edx,DWORD PTR [rbp-0x58]
lea rdi,[rip+0x147836]
lea rdx,[rip+0x193e83]
sub QWORD PTR [rip+0x390085],0x1
mov rax,QWORD PTR [rip+0x3e95ad]
lea rcx,[rip+0x4c4826]
cmp BYTE PTR [rbp-0x130],0x0
lea rsi,[rip+0x472461]
lea rdi,[rip+0x147696]
vpmovzxbw zmm19,YMMWORD PTR [rcx+r9*1]
movsd xmm0,QWORD PTR [rip+0x203850]
lea rdx,[rip+0x169fbc]
lea rdi,[rip+0x14aaa6]
add BYTE PTR [rax+0x0],al
lea rsi,[rip+0x48436a]
mov r9d,DWORD PTR [rbx+0xb0]
vpunpcklqdq zmm28,zmm19,zmm27
mov QWORD PTR [rip+0x29e6ff],rbx
lea rax,[rip+0x50ad02]
mov QWORD PTR [rbx+0x428],0x0
movsd xmm0,QWORD PTR [rip+0x203c71]
mov QWORD PTR [rip+0x50d6d8],rbx
lea rdx,[rip+0xa323ee]
add r11d,DWORD PTR [rsp+0x98]
lea rdx,[rip+0x11d0a4]
mov QWORD PTR [rbp+r11*8-0x6080],rsi
jmp QWORD PTR [rip+0x3b5cea]
lea rdx,[rip+0x193abd]
lea rax,[rip+0x1aefad]
cmp rax,r15
mov rax,QWORD PTR [rbp-0x28]
lea rsi,[rip+0x846e9]
movsd xmm0,QWORD PTR [rip+0x20439a]
mov DWORD PTR [rbx+rdx*1-0x4],ecx
mov esi,0x2dc
mulsd xmm2,xmm4
mov rax,r13
lea rax,[rip+0x13a2e0]
shr r10,0x28
movsd xmm0,QWORD PTR [rip+0x203970]
movsd xmm4,QWORD PTR [rip+0x483022]
movsd xmm0,QWORD PTR [rip+0x20399a]
lea rax,[rip+0xffffffffffffe0ea]
mov esi,0x587
lea edx,[rdi+0x1]
add r9d,0x1
vpshufb ymm0,ymm0,YMMWORD PTR [rip+0xdc660e]
sub r14,r12
movzx edi,BYTE PTR [r8+rdx*1+0xb]
jmp QWORD PTR [rip+0x3b676a]
psubd xmm8,xmm7
mov rax,QWORD PTR [rip+0x3bc403]
lea rdi,[rip+0x154a6c]
jmp QWORD PTR [rip+0x3b660a]
sub eax,0x2de92c6f
mov DWORD PTR [rsp+0xec],ecx
pmaddwd mm7,QWORD PTR [rip+0x904645]
add rsp,0x588
mov eax,0x72
lea r12,[r15+0x20]
mov rdx,QWORD PTR [rcx+0x50]
mov r14,QWORD PTR [rip+0x53c9bc]
vpaddd xmm0,xmm0,XMMWORD PTR [rip+0x499ba4]
mov DWORD PTR [r13+rcx*1+0x0],0x1
mulsd xmm4,QWORD PTR [rip+0x474ac8]
subsd xmm0,QWORD PTR [rip+0x471f0d]
vmovups YMMWORD PTR [rdi+r8*1],ymm0
mov DWORD PTR [rbx+0x60],ebp
add eax,DWORD PTR [r14+0x15540]
maxsd xmm3,QWORD PTR [rip+0x476268]
mulsd xmm3,QWORD PTR [rip+0x470a36]
movsd xmm0,QWORD PTR [rip+0x203cd2]
vinserti32x4 zmm17,zmm17,XMMWORD PTR [rbx+0x20],0x3
vpmadd52huq zmm19,zmm9,zmm2
push 0x3ba
lea rdx,[rip+0x1877b4]
vmovdqa32 zmm17,ZMMWORD PTR [r11+0x80]
mov ecx,0xfe
vpmaddwd ymm5,ymm5,YMMWORD PTR [rip+0x3cb979]
mov rdx,QWORD PTR [rax+r8*8+0x80]
paddd xmm5,XMMWORD PTR [rip+0x8bd760]
jmp QWORD PTR [rip+0x3b6b0a]
mov BYTE PTR [rbp-0x9501],0x0
mov esi,0x54f
movsd xmm0,QWORD PTR [rip+0x2037d7]
mov eax,DWORD PTR [rip+0x3298ed]
mov BYTE PTR [rsp+0x88],al
pmaddwd xmm0,XMMWORD PTR [rip+0x902b73]
vmovdqa xmm5,XMMWORD PTR [rdi+0x10]
movapd xmm3,XMMWORD PTR [rip+0x46eda9]
movaps xmm1,XMMWORD PTR [rip+0x494a44]
mov edi,0x8776a1
movsd xmm0,QWORD PTR [rip+0x204053]
push 0x376
movd xmm3,DWORD PTR [rdx+rcx*1+0x8]
lea rdx,[rip+0x11cf12]
lea rdi,[rip+0x16c756]
jmp QWORD PTR [rip+0x3b679a]
add ebx,DWORD PTR [rsp+0xa4]
vmovups YMMWORD PTR [rdi+r8*1],ymm5
mov edi,DWORD PTR [r12+rax*4+0x18]
mov esi,0x8a7cad
push 0x853
lea rdx,[rip+0x17d294]
movsx edi,BYTE PTR [rbp+0x0]
mov esi,0x552
movsxd rdx,eax
pmaddwd xmm3,XMMWORD PTR [rip+0x9022fc]
mov rax,QWORD PTR [rbp-0xf0]
mov eax,DWORD PTR [rip+0x2173b7]
sub QWORD PTR [rbp-0x9470],0x1
lea rsi,[rip+0x8e168]
mov rcx,QWORD PTR [rip+0x46aec5]
movsd xmm7,QWORD PTR [rip+0x46f99f]
lea r9,[rip+0xffffffffffff9975]
push 0x2de
lea r8,[rip+0xd5030a]
mov rdi,QWORD PTR [rip+0x50e714]
pmaddwd mm1,QWORD PTR [rip+0x904fdd]
mov edx,DWORD PTR [rax]
add ebx,DWORD PTR [rsp+0x98]
movsd xmm0,QWORD PTR [rip+0x204aeb]
mov eax,0x80000001
vpmaddubsw zmm16,zmm16,zmm21
add r9d,esi
pmaddwd xmm7,XMMWORD PTR [rip+0x903388]
mov QWORD PTR [rdi+0x8],r11
vpaddd zmm25,zmm25,zmm31
mov DWORD PTR [rsp+0xc],0x80
lea r11,[r15+rcx*4+0x4]
vpsrad zmm25,zmm25,0x6
lea rsi,[rip+0x472241]
mulsd xmm1,QWORD PTR [rip+0x46fd99]
mov DWORD PTR [rdx-0x28],0x80
lea r8,[rip+0xdc50ea]
movdqa XMMWORD PTR [r9],xmm3
mov QWORD PTR [rbx+0x58],0x20
movsd xmm0,QWORD PTR [rip+0x204386]
movsd xmm0,QWORD PTR [rip+0x477728]
mov eax,DWORD PTR [rbx+0x124]
jmp QWORD PTR [rip+0x3b52d2]
lea r8,[rip+0x8a5b9]
push 0x46f
xor ebx,0x5be0cd19
mulsd xmm2,QWORD PTR [rip+0x48887c]
lea rdx,[rip+0x196c14]
mov QWORD PTR [rax+r8*8+0x180],0x0
jmp QWORD PTR [rip+0x3b0f72]
mov rax,QWORD PTR [rip+0x4752a1]
vpaddd xmm5,xmm5,XMMWORD PTR [rip+0x48da5c]
lea rcx,[rip+0x484c71]
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48d05d]
movsd xmm0,QWORD PTR [rip+0x489369]
vpcmpgtw ymm3,ymm1,ymm2
movdqu xmm3,XMMWORD PTR [rsi+0x60]
mov DWORD PTR [rsp+0x84],r8d
lea rdi,[rip+0x648fc]
movsd xmm0,QWORD PTR [rip+0x2037e0]
movsd xmm0,QWORD PTR [rip+0x204068]
movups xmm1,XMMWORD PTR [rcx-0x60]
xor r15,QWORD PTR [rbp+rsi*8+0x2]
lea rsi,[rip+0x476410]
vpmovzxbw xmm1,QWORD PTR [rsi+0x19]
mov ebp,esi
movdqu xmm3,XMMWORD PTR [rsp+0x50]
mov edx,0x1ed
movzx ebx,dx
lea r13d,[r8+0x6a09e667]
jmp QWORD PTR [rip+0x3b5e52]
pmaddwd xmm2,xmm12
lea rax,[rip+0x1852]
lea r10d,[rcx+rbp*1]
movabs rax,0x10000000f
lea rdx,[rip+0x1971b4]
mov r14,QWORD PTR [rsi+0x48]
lea rsi,[rip+0x4719a5]
vpcmpgtw ymm0,ymm0,ymm1
movaps XMMWORD PTR [rip+0x5352dc],xmm0
and r10d,0xfff
movsd xmm0,QWORD PTR [rip+0x20454c]
movq xmm0,QWORD PTR [rip+0xb5baa5]
mov rbx,QWORD PTR [rbp-0x9528]
movups XMMWORD PTR [rdi+0x58],xmm0
mov QWORD PTR [rax+0x220],rdi
lea rsi,[rip+0x478406]
movsd xmm0,QWORD PTR [rip+0x2036a2]
add r9d,DWORD PTR [rsp+0x98]
mov DWORD PTR [rsp+0x74],eax
pmaddwd xmm5,XMMWORD PTR [rip+0x8fef44]
lea rdi,[rip+0xe4758]
pshufd xmm4,xmm4,0x1
and ecx,r9d
movdqa xmm8,XMMWORD PTR [rip+0x41dc0c]
jmp QWORD PTR [rip+0x3b6c0a]
lea rax,[rip+0x29fdbc]
vpaddd xmm0,xmm0,XMMWORD PTR [rip+0x4997b0]
lea rsi,[rip+0x766cd]
and edx,0x78000
pmaddwd xmm5,XMMWORD PTR [rip+0x8fe74f]
vpbroadcastq zmm28,QWORD PTR [rax+0x28]
subsd xmm0,QWORD PTR [rip+0x48b515]
jmp QWORD PTR [rip+0x3b5f4a]
rol esi,0x10
lea r9,[rip+0xffffffffffffde7e]
mov BYTE PTR [rdi+0x9],dl
pmaddwd xmm6,XMMWORD PTR [rip+0x902f8c]
mulsd xmm0,QWORD PTR [rip+0x4732f7]
mov r15d,0x80
mov esi,0x187
movdqa xmm5,XMMWORD PTR [rip+0x420ff8]
mov edx,0x359
mov QWORD PTR [rdi],0x1010040
lea rdi,[rip+0x1732ee]
test BYTE PTR [rax+0xc],0x1
movsd xmm0,QWORD PTR [rip+0x203e29]
push 0x24d
jmp QWORD PTR [rip+0x3b5062]
vpcmpeqd ymm8,ymm8,ymm4
vpaddd xmm10,xmm10,XMMWORD PTR [rip+0x48c0b7]
vmovups YMMWORD PTR [rdi+r8*1],ymm3
movsd xmm0,QWORD PTR [rip+0x20408d]
movsd xmm0,QWORD PTR [rip+0x204344]
vperm2i128 ymm6,ymm8,ymm7,0x20
lea rsi,[rip+0x16ac11]
mov DWORD PTR [r15+0x1c],r13d
lea r9,[rip+0x5364ff]
cmp sil,0x8
movsd xmm0,QWORD PTR [rip+0x20410f]
movsd xmm0,QWORD PTR [rip+0x203828]
lea rdi,[rip+0xdd07c3]
movdqu xmm3,XMMWORD PTR [rsi+r8*2+0x30]
mov QWORD PTR [rbx+0x80],r15
movsd xmm0,QWORD PTR [rip+0x203518]
pmaddwd xmm8,XMMWORD PTR [rip+0x902d3b]
mov QWORD PTR [rsp+0x1148],rax
mov DWORD PTR [rbx+0x444],eax
vmovdqa32 zmm11,ZMMWORD PTR [rip+0xdbfad7]
shl r11d,0x8
mov edx,0x18
movsd xmm0,QWORD PTR [rip+0x2048b6]
pmaddwd mm5,QWORD PTR [rip+0x905c05]
vinserti32x8 zmm0,zmm0,YMMWORD PTR [rcx-0x60],0x1
push 0x380
pmulhrsw xmm5,XMMWORD PTR [rip+0xd168f9]
cmp ebp,0x40a
lea rax,[rip+0x24a2]
jmp QWORD PTR [rip+0x3b5b0a]
cmovae r12,rax
vpbroadcastd ymm6,DWORD PTR [rip+0x43a545]
mov rax,QWORD PTR [rip+0x449e9d]
vpaddd zmm17,zmm17,zmm21
punpckhbw xmm0,xmm6
mov QWORD PTR [r13+0x8],rdx
movsd xmm0,QWORD PTR [rip+0x2043c5]
movsd xmm0,QWORD PTR [rip+0x203ffa]
movdqu xmm5,XMMWORD PTR [rdx+0x30]
movups XMMWORD PTR [rax+0xcb8],xmm8
lea rdi,[r12+0x18]
mov r8d,DWORD PTR [rbp-0x2948]
jmp QWORD PTR [rip+0x3b5162]
mov QWORD PTR [rdx+0x8],rbx
lea rdi,[r15+rdx*1+0x606]
jmp QWORD PTR [rip+0x3b5b52]
movsd xmm0,QWORD PTR [rip+0x203c59]
lea r8,[rax+0x20]
lea rdi,[rip+0x29caa0]
mov esi,0x851db0
movzx eax,bp
movsd xmm0,QWORD PTR [rip+0x8523f]
lea r8,[rip+0x7b421]
lea rdx,[rbp*8+0x0]
lea rdi,[rip+0x6cae4]
movups XMMWORD PTR [rax+0x618],xmm15
movsd xmm0,QWORD PTR [rip+0x2039be]
mov rax,QWORD PTR [rsp+0x778]
ror ecx,0xc
lea r14,[rip+0x62227]
sub edi,0x3007
mov rdi,QWORD PTR [rip+0x4a3f30]
mov r15d,DWORD PTR [rsp-0x1c]
mov eax,DWORD PTR [r12+0x64]
lea rax,[rip+0x1dad]
mov edi,0xa2aa20
movdqa xmm7,XMMWORD PTR [rbp-0x500]
lea r12,[rsp+0x1b0]
lea rax,[rip+0x2654f9]
jmp QWORD PTR [rip+0x3b5c5a]
lea rsi,[rip+0x472337]
movsd xmm1,QWORD PTR [rip+0x477063]
movaps XMMWORD PTR [rsp+0x20],xmm1
movaps XMMWORD PTR [rsp+0x20],xmm4
mov ecx,DWORD PTR [rbx+0x24]
jmp QWORD PTR [rip+0x3b62ca]
lea r10,[rip+0x415866]
palignr xmm4,xmm7,0x2
lea rdx,[rip+0x16a0a6]
lea r9,[rip+0xce0753]
lea rdx,[rip+0x11ca0c]
lea rdi,[rax+0x30]
pmulhrsw xmm5,XMMWORD PTR [rip+0xd169e1]
vpaddd xmm5,xmm5,XMMWORD PTR [rip+0x48dc6c]
vmovdqa32 zmm18,ZMMWORD PTR [rip+0x418a39]
mov r10d,DWORD PTR [rsp+0xd4]
jmp QWORD PTR [rip+0x3b501a]
mov rdi,QWORD PTR [rip+0x49bbf0]
mov r13d,DWORD PTR [rbp-0x27b0]
movsd xmm0,QWORD PTR [rip+0x20416b]
pmaddwd xmm5,XMMWORD PTR [rip+0x900805]
vmulps xmm2,xmm2,XMMWORD PTR [rip+0x437c42]
movaps XMMWORD PTR [rbp-0x520],xmm1
vpermq zmm16,zmm20,zmm16
movsx ecx,BYTE PTR [r11+r15*1]
mov r10d,DWORD PTR [rax+r13*4]
movd DWORD PTR [rdi+rsi*1],xmm6
vmovdqu32 ymm27,YMMWORD PTR [r9+rsi*1]
lea rdx,[rip+0x5086c8]
movdqu XMMWORD PTR [rdi+rcx*1],xmm0
vpabsw zmm20,zmm20
mov rdi,QWORD PTR [r15+rax*8]
lea rax,[rip+0x500726]
pmaddwd xmm5,XMMWORD PTR [rip+0x90439e]
mov WORD PTR [rdi+0x10],0x0
lea rdi,[rip+0x13b6d3]
vpermw zmm28,zmm12,zmm28
lea rsi,[rip+0x11e4d9]
mov edx,0xaaaaaaab
mov QWORD PTR [rdi+0xb0],0x0
lea r15,[rip+0x472ca1]
lea rdi,[rip+0x16cd76]
movd DWORD PTR [rdi+0xc],xmm3
lea rdx,[rip+0xa8c714]
mov r8,QWORD PTR [r13-0x10]
mov esi,0x7208f2
pmaddwd xmm5,XMMWORD PTR [rip+0x903a14]
lea r9,[rip+0xbb6fee]
movsd xmm1,QWORD PTR [rbx+0x208]
lea rdx,[rip+0x13b5d4]
lea rsi,[rip+0x47b761]
vmovdqa ymm4,YMMWORD PTR [rip+0xe0e914]
pmaddwd xmm4,XMMWORD PTR [rip+0x9025f3]
lea rdx,[rip+0x8f9cc]
mov r11d,DWORD PTR [rsp+0xd0]
vpaddd xmm5,xmm5,XMMWORD PTR [rip+0x48e29c]
jmp QWORD PTR [rip+0x3b5a82]
lea rdi,[rip+0x1461b6]
cmp QWORD PTR [rbx+0x168],0x0
movups XMMWORD PTR [rsp+0x88],xmm2
movsd xmm0,QWORD PTR [rip+0x203db9]
