#: title      clear_bhb_loop(): which registers count the two loops
#: source     20260328100837.7e6dc7fe@pumpkin
#: about      The loop that overwrites the branch history on entry to the kernel, with its
#: about      counters in several registers. Names are inner-outer: in ah-al the inner loop
#: about      counts in %ah, the outer one in %al.
#: about      5x5 suits parts before Alder Lake; 12x7 parts that enumerate BHI_CTRL.
#: about      Measured is the loop alone, from its call to its ret: without the kernel's frame
#: about      (push %rbp ... pop %rbp) and without the lfence that follows. The contexts isolated
#: about      and history add that lfence, and the empty call is taken off there.
#: about      -globals reads the counts from two bytes, the inner one anew on each outer turn.
#: about      -aligned starts both blocks at a 64-byte line, as before the ITS mitigation.
#: param      OUTER 5 12
#: param      INNER 5 7
#: baseline   eax-ecx
#: probe      history

	.data
bhb_outer:	.byte	OUTER
bhb_inner:	.byte	INNER
	.text

/*
 * All variants share the call into the first block and the way out. The first block calls the
 * second, so that each outer turn leaves a return address, and the returns at the end are branches
 * too. Both blocks are shifted so that their ret is the byte at +32 of a line: a return in the
 * lower half is open to indirect target selection (ITS). The second block's shift is by its length
 * up to the ret, which each variant states.
 */
	.macro	first_block
	call	1f
	jmp	5f
	.balign	64, 0xcc
	.skip	32 - (.Lret1 - 1f), 0xcc
1:	call	2f
.Lret1:	ret
	.balign	64, 0xcc
	.endm

	.macro	first_block_aligned
	call	1f
	jmp	5f
	.balign	64, 0xcc
1:	call	2f
	ret
	.balign	64, 0xcc
	.endm

#: variant    eax-ecx          32-bit counters: inner loop in %eax, outer in %ecx
	movl	$OUTER, %ecx
	first_block
	.skip	32 - 18, 0xcc
2:	movl	$INNER, %eax
3:	jmp	4f
	nop
4:	sub	$1, %eax
	jnz	3b
	sub	$1, %ecx
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-ah            byte counters: inner loop in %al, outer in %ah
	movb	$OUTER, %ah
	first_block
	.skip	32 - 14, 0xcc
2:	movb	$INNER, %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$1, %ah
	jnz	1b
	ret
	int3
5:	ret

#: variant    ah-al            byte counters swapped: inner loop in %ah, outer in %al
	movb	$OUTER, %al
	first_block
	.skip	32 - 14, 0xcc
2:	movb	$INNER, %ah
3:	jmp	4f
	nop
4:	sub	$1, %ah
	jnz	3b
	sub	$1, %al
	jnz	1b
	ret
	int3
5:	ret

#: variant    ah-al-zeroed     swapped too, and %eax zeroed at entry
	xorl	%eax, %eax
	movb	$OUTER, %al
	first_block
	.skip	32 - 14, 0xcc
2:	movb	$INNER, %ah
3:	jmp	4f
	nop
4:	sub	$1, %ah
	jnz	3b
	sub	$1, %al
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-ax100         outer counter in %ah, by sub $0x100,%ax
/* %al is zero once the inner loop is done, so %ax reaches zero when %ah does. */
	movb	$OUTER, %ah
	first_block
	.skip	32 - 15, 0xcc
2:	movb	$INNER, %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$0x100, %ax
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-cl            byte counters in two registers
	movb	$OUTER, %cl
	first_block
	.skip	32 - 14, 0xcc
2:	movb	$INNER, %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$1, %cl
	jnz	1b
	ret
	int3
5:	ret

#: variant    eax-ecx-globals  the final form: bytes loaded by movzbl
	movzbl	bhb_outer(%rip), %ecx
	first_block
	.skip	32 - 20, 0xcc
2:	movzbl	bhb_inner(%rip), %eax
3:	jmp	4f
	nop
4:	sub	$1, %eax
	jnz	3b
	sub	$1, %ecx
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-ah-globals    byte counters, counts from globals
	movb	bhb_outer(%rip), %ah
	first_block
	.skip	32 - 18, 0xcc
2:	movb	bhb_inner(%rip), %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$1, %ah
	jnz	1b
	ret
	int3
5:	ret

#: variant    ah-al-globals    byte counters swapped, counts from globals
	movb	bhb_outer(%rip), %al
	first_block
	.skip	32 - 18, 0xcc
2:	movb	bhb_inner(%rip), %ah
3:	jmp	4f
	nop
4:	sub	$1, %ah
	jnz	3b
	sub	$1, %al
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-ax100-globals sub $0x100,%ax, counts from globals
	movb	bhb_outer(%rip), %ah
	first_block
	.skip	32 - 19, 0xcc
2:	movb	bhb_inner(%rip), %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$0x100, %ax
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-cl-globals    byte counters in two registers, from globals
	movb	bhb_outer(%rip), %cl
	first_block
	.skip	32 - 18, 0xcc
2:	movb	bhb_inner(%rip), %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$1, %cl
	jnz	1b
	ret
	int3
5:	ret

#: variant    eax-ecx-aligned  eax-ecx, blocks plainly aligned
	movl	$OUTER, %ecx
	first_block_aligned
2:	movl	$INNER, %eax
3:	jmp	4f
	nop
4:	sub	$1, %eax
	jnz	3b
	sub	$1, %ecx
	jnz	1b
	ret
	int3
5:	ret

#: variant    al-ah-aligned    al-ah, blocks plainly aligned
	movb	$OUTER, %ah
	first_block_aligned
2:	movb	$INNER, %al
3:	jmp	4f
	nop
4:	sub	$1, %al
	jnz	3b
	sub	$1, %ah
	jnz	1b
	ret
	int3
5:	ret

#: variant    ah-al-aligned    ah-al, blocks plainly aligned
	movb	$OUTER, %al
	first_block_aligned
2:	movb	$INNER, %ah
3:	jmp	4f
	nop
4:	sub	$1, %ah
	jnz	3b
	sub	$1, %al
	jnz	1b
	ret
	int3
5:	ret
