# Register equates, wide numbers, prefixes alone, strings with other registers.
counter = %rcx
	.set base, %rbx
1:	mov	counter, (base,counter,8)
	lock; rep
	data16 rex.w
	movs	(%rax), (%rbx)
	.quad	0x123456789abcdef01, -1
	.octa	5, -0x10000000000000000
	.macro	m a:vararg
	.irp	x, \a
	.byte	\x
	.endr
	.endm
	m	1, 2, 3
	jmp	1b
	.section .a.b, "axG", @progbits, b, comdat
b:	vaddps	{rn-sae}, %zmm1, %zmm2, %zmm3{%k1}{z}
	.skip	b-b+3
