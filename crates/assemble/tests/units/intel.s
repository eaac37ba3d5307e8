.intel_syntax noprefix
vaddps zmm1, zmm2, zmm3{rn-sae}
vaddps zmm1, zmm2, zmm3, {rn-sae}
vcmpps k1, zmm2, zmm3{sae}, 1
vcmpps k1, zmm2, zmm3, {sae}, 1
mov eax, dword ptr [%rcx+4]
mov %eax, [rcx]
jmp [QWORD PTR .L4[0+rdi*8]]
call [QWORD PTR [rax]]
.L4:
.intel_syntax prefix
mov %eax, dword ptr [%rcx+%rdx*4+4]
add %eax, eax
.intel_syntax
mov %eax, 5
vaddps %zmm1{%k1}{z}, %zmm2, %zmm3
lea %rax, [8+%rcx*2+foo]
