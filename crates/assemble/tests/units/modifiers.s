	.file "o1.c"
	.text
	.globl f
f:	call g
	jmp g
	jne g
	mov $_GLOBAL_OFFSET_TABLE_, %eax
	lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
	movabs $_GLOBAL_OFFSET_TABLE_-f, %r11
	movabs $_GLOBAL_OFFSET_TABLE_, %r11
	movabs $foo@GOT, %rax
	movabs $foo@GOTOFF, %rax
	movabs $foo@PLTOFF, %rax
	mov foo@GOT(%rbx), %rax
	mov foo@GOTPCREL(%rip), %rax
	mov foo@GOTPCREL(%rip), %eax
	call *foo@GOTPCREL(%rip)
	jmp *foo@GOTPCREL(%rip)
	test %eax, foo@GOTPCREL(%rip)
	add foo@GOTPCREL(%rip), %rax
	push foo@GOTPCREL(%rip)
	mov loc@GOTPCREL(%rip), %rax
	mov $foo@SIZE, %eax
	movabs $foo@SIZE, %rax
	lea tv@TLSGD(%rip), %rdi
	lea tv@TLSLD(%rip), %rdi
	lea tv@TLSDESC(%rip), %rax
	call *tv@TLSCALL(%rax)
	mov tv@GOTTPOFF(%rip), %rax
	add tv@GOTTPOFF(%rip), %rax
	mov %fs:tv@TPOFF, %eax
	lea tv@DTPOFF(%rax), %rax
	movabs $tv@TPOFF, %rax
	movabs $tv@DTPOFF, %rax
	call loc
	call foo@PLT
	call loc@PLT
	call weakone
	call hid
	.weak weakone
weakone: ret
	.hidden hid
	.globl hid
hid:	ret
loc:	ret
	.data
	.long foo@GOT, foo@PLT, foo@GOTPCREL, foo@SIZE, tv@TPOFF, tv@DTPOFF
	.quad foo@GOT, foo@GOTOFF, foo@PLTOFF, foo@SIZE, tv@TPOFF, tv@DTPOFF, foo
	.long _GLOBAL_OFFSET_TABLE_-., foo-., _GLOBAL_OFFSET_TABLE_
	.quad _GLOBAL_OFFSET_TABLE_-., foo-., loc-., f-., _GLOBAL_OFFSET_TABLE_
	.byte foo, loc
	.word foo, loc
	.byte foo-.
	.word loc-.
	.long f, loc, f+4, loc+4
	.quad loc@GOTOFF
	.long loc@PLT
	.quad loc@PLTOFF, loc@GOTPLT, foo@GOTPLT, foo@GOTPCREL
