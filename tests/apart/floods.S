#: title      A variant that tells of rounds as fast as they can be written
#: baseline   bad
#: between    chained
# When a round has just begun it takes the samples of the last one, and tells them again with the
# numbers of the rounds to come, for ever.
#include "find_shared.inc"

#: variant    bad
	FIND_SHARED
	mov	(%r12), %r14
	test	%r14, %r14
	jz	9f
	lea	-1(%r14), %rbx
	call	slot
	cmpl	$2, (%rdi)			/* the end of a round */
	jne	9f
	mov	4(%rdi), %r15d
	xor	%ebp, %ebp
	lea	samples(%rip), %r11
1:	dec	%rbx				/* its samples */
	js	9f
	call	slot
	cmpl	$1, (%rdi)
	jne	2f
	cmp	$8, %ebp
	jae	9f
	mov	%rdi, %rsi
	mov	%r11, %rdi
	mov	$16, %ecx
	rep	movsl
	mov	%rdi, %r11
	inc	%ebp
	jmp	1b
2:	test	%ebp, %ebp
	jz	9f
3:	inc	%r15d				/* another round */
	xor	%r10d, %r10d
4:	lea	samples(%rip), %rsi
	mov	%r10d, %eax
	shl	$6, %eax
	add	%rax, %rsi
	mov	%r15d, 8(%rsi)
	call	put
	inc	%r10d
	cmp	%ebp, %r10d
	jb	4b
	lea	round(%rip), %rsi
	mov	%r15d, 4(%rsi)
	call	put
	jmp	3b
9:	ret
	/* %rdi: where the record of number %rbx stands. */
slot:	mov	%rbx, %rax
	and	$16383, %eax
	imul	$68, %rax, %rax
	lea	984(%r12,%rax), %rdi
	ret
	/* Writes the record at %rsi, when there is room. */
put:	incl	128(%r12)
	mov	%r14, %rax
	sub	64(%r12), %rax
	cmp	$16384, %rax
	jb	5f
	pause
	jmp	put
5:	mov	%r14, %rbx
	call	slot
	mov	$0x9e3779b97f4a7c15, %rax
	imul	%r14, %rax
	xor	%r13, %rax
	mov	$0xd1b54a32d192ed03, %r9
	xor	%ecx, %ecx
6:	mov	(%rsi,%rcx,4), %edx
	mov	%edx, (%rdi,%rcx,4)
	rol	$23, %rax
	xor	%rdx, %rax
	imul	%r9, %rax
	inc	%ecx
	cmp	$16, %ecx
	jb	6b
	shr	$32, %rax
	mov	%eax, 64(%rdi)
	inc	%r14
	mov	%r14, (%r12)
	ret
	.data
	FIND_SHARED_DATA
	.balign	64
samples:
	.fill	128, 4, 0
round:
	.long	2
	.fill	15, 4, 0
