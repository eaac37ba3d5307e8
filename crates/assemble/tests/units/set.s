	.set one, 1
	add $one, %eax
	.set one, 200
	add $one, %eax
	.equ two, one + 5
	add $two, %rax
three = two - 202
	add $three, %al
	.set here, .
	jmp here
	.set label_plus, target + 4
	mov label_plus(%rip), %eax
	jmp label_plus
	lea label_plus-here(%rax), %ecx
target:	.skip 8
	.set alias, target
	jmp alias
	call alias
	.globl exported
	.set exported, target + 2
	call exported
	jmp exported
	mov exported(%rip), %eax
	.long exported, alias, label_plus
	.set size, . - target
	mov $size, %eax
	mov $(later - 1), %eax
	mov $later, %eax
	.long later
	.set later, 7
	mov $later, %eax
	.equiv once, 3
	mov $once * 2 + (7 ^ 2) - (5 | 2) + ~0 + -1 + (1 << 4) + (256 >> 2) + 7 % 4 + !0, %eax
	.set truth, (1 == 1) + (1 < 2) + (2 > 3) + (1 != 1) + (3 && 1) + (0 || 2)
	mov $truth, %eax
	.weak weakly
	.set weakly, target
	call weakly
	mov %eax, weakly(%rip)
	.hidden concealed
	.globl concealed
concealed: ret
	call concealed
	.type concealed, @function
	.size concealed, . - concealed
