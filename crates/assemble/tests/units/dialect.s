# Other names of registers.
count = %rcx
	.set	base, %rbx
	.equ	again, count
	mov	count, (base,again,8)
	add	$8, base
	lea	-8(base), again
count = %edx
	inc	count
	mov	%fs:(base), count
seg = %gs
	mov	seg:8, count
stack = %st(3)
	fadd	stack, %st
mask = %k2
base = 5
	mov	$base, %eax
	.ifdef	again
	ud2
	.endif
# Numbers of more than 64 bits.
	.data
	.quad	0x123456789abcdef01, -0x1ffffffffffffffff, 18446744073709551616
	.long	0xfedcba98765432100123
	.word	0x10000000000001234
	.byte	0x1000000000000000f
	.octa	5, -5, 5-6, 2+3, 0xffffffffffffffff, 0x123456789abcdef0123456789abcdef0
	.octa	-0x10000000000000000, 340282366920938463463374607431768211455
	.octa
	.quad	1,,3
# Macros as people write them.
	.text
	.macro	each from=0, to:req, rest:vararg
	.byte	\from
	.if	\to-\from
	each	"(\from+1)", \to, \rest
	.else
	.irp	x, \rest
	.word	\x
	.endr
	.endif
	.endm
	each	to=3, rest="1, 2, 3"
	each	1, 2, 7, 8
	.macro	nest name
	.macro	\name arg
	.long	\arg, \@
	.endm
	.endm
	nest	inner
	inner	5
	.purgem	inner
	nest	inner
	inner	6
	.irpc	c, 123
	.byte	\c\c, 0x\c\()f
	.endr
	.rept	2
	.rept	2
	.byte	9
	.endr
	.endr
	.macro	leaves x
	.ifb	\x
	.exitm
	.endif
	.byte	\x
	.endm
	leaves
	leaves	4
	.altmacro
	.macro	alt a, b
	LOCAL	here, there
here:	.byte	a, b
there:	.byte	there-here
	.long	here
	.endm
	alt	%1+2*3, <4>
	alt	%(2<<4), 5
	.macro	string s
	.ascii	"s"
	.ascii	"&s&"
	.endm
	string	<a b>
	string	<x!>y>
	.macro	join a, b
a&b:	.byte	a&b - .
	.endm
	join	lab, el
	.noaltmacro
# Conditions.
	.set	N, 3
	.if	N == 3 && (N & 1) || 0
	.byte	1
	.elseif	N
	.byte	2
	.endif
	.ifc	a b , a b
	.byte	3
	.endif
	.ifnc	"a", a
	.byte	4
	.endif
	.ifge	N-3
	.byte	5
	.endif
	.iflt	-N
	.byte	6
	.endif
	.ifeqs	"a b", "a b"
	.byte	7
	.endif
	.ifndef	nothing
	.byte	8
	.endif
# Places.
	.org	.+3, 0xcc
	.skip	2f-1f, 0x90
1:	.fill	3, 2, 0x1234
2:	.fill	2, 8, 0x123456789
	.p2align 4,,15
	.balign	8, 0xcc
	.balignw 16, 0x9090
	.nops	20
	.nops	9, 4
	.byte	'a, 'b', '\n, '\\, "x"-"x"
	.ascii	"\101\x41\t\"", "b"
	.string	"one", "two"
	.float	1.5, -0.25, 1e10
	.double	3.25, 1e-300
	.uleb128 300, 2b-1b
	.sleb128 -300
	.pushsection .rodata.x, "aMS", @progbits, 1
	.asciz	"text"
	.popsection
	.subsection 2
	.byte	0x22
	.previous
	.section .init_array, "aw"
	.quad	2b
	.comm	shared, 40, 16
	.lcomm	own, 24
	.text
	lea	own(%rip), %rax
	mov	$shared+4, %ecx
	.type	f, @function
	.globl	f
	.hidden	f
f:	ret
	.size	f, .-f
	.weak	w
	call	w
	jmp	w+1
	call	f@PLT
	mov	v@GOTPCREL(%rip), %rax
	movq	t@gottpoff(%rip), %rcx
	leaq	t@tlsgd(%rip), %rdi
