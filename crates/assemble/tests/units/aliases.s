	.text
	.globl f
	.type f,@function
f:	ret
	.size f, .-f
	.type lf,@function
lf:	nop
	.size lf, 1
	.set a1, f
	.globl a1
	.set a2, lf
	a3 = f+1
	a4 = lf+1
	.globl a4
	.weak a5
	.set a5, f
	.type ifn, @gnu_indirect_function
ifn:	ret
	.set a6, ifn
	.globl a7
	.set a7, ifn
	.globl a8
	.hidden a8
	a8 = f
	.set a9, ext
	.set a10, ext+4
	.globl a11
	.set a11, 5
	.set a12, 0x123456789
	a13 = a3+2
	.type a14, @object
	.set a14, f
	.size a14, 7
	call a1; call a2; call a3; call a4; call a5; call a6; call a7; call a8; call a9; call a10
	jmp a1; jmp a2; jmp a3; jmp a5; jmp a6; jmp a9; jmp ifn
	mov $a3, %eax
	mov a3(%rip), %eax
	mov a9(%rip), %eax
	mov a10(%rip), %eax
	mov a13(%rip), %eax
	.data
d:	.quad a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, lf, f, ifn, d
	.long a1-., a2-., a3-., a9-., a10-.
e:	.quad e-d, a3-f, a4-lf
	.type u, @gnu_unique_object
u:	.long 1
	.size u, 4
	.type c, @common
	.comm c, 4, 4
	.type tt, @tls_object
	.comm c2, 8
	.local c3
	.comm c3, 100, 32
	.lcomm c4, 3
	.globl g1, g2
	.type g1, @object
	.weak g3
	.hidden g4
	.local nothere
