#: title      A variant that makes a neighbour look three times as dear
#: baseline   good2
#: between    chained
# It finds what the worker shares with its parent and writes over the samples of `good` there, with a
# right seal. Where each variant has a worker of its own it finds no samples but its own.

#include "find_shared.inc"

#: variant    good2
	.rept	8
	imul	%rax, %rax
	.endr
	ret

#: variant    good
	.rept	8
	imul	%rax, %rax
	.endr
	ret

#: variant    bad
	FIND_SHARED
	/* Records that the parent has not taken yet, and that were not forged before. */
	mov	(%r12), %r14
	mov	next(%rip), %r15
	mov	64(%r12), %rax
	cmp	%rax, %r15
	cmovb	%rax, %r15
6:	cmp	%r14, %r15
	jae	8f
	mov	%r15, %rax
	and	$16383, %eax
	imul	$68, %rax, %rax
	lea	984(%r12,%rax), %rdi
	cmpl	$1, (%rdi)			/* a sample */
	jne	7f
	cmpl	$2, 4(%rdi)			/* of the second variant */
	jne	7f
	imul	$3, 16(%rdi), %eax
	mov	%eax, 16(%rdi)
	imul	$3, 20(%rdi), %eax
	mov	%eax, 20(%rdi)
	mov	$0x9e3779b97f4a7c15, %rax
	imul	%r15, %rax
	xor	%r13, %rax
	mov	$0xd1b54a32d192ed03, %r9
	xor	%ecx, %ecx
12:	mov	(%rdi,%rcx,4), %edx
	rol	$23, %rax
	xor	%rdx, %rax
	imul	%r9, %rax
	inc	%ecx
	cmp	$16, %ecx
	jb	12b
	shr	$32, %rax
	mov	%eax, 64(%rdi)
7:	inc	%r15
	jmp	6b
8:	mov	%r15, next(%rip)
9:	ret
	.data
	FIND_SHARED_DATA
	.balign	8
next:
	.quad	0
