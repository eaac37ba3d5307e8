#: title      A variant that ends its worker as if another process had
#: baseline   good
#: between    chained
# It leaves a report of a signal that process 1 sent, and leaves with the number that only the worker
# knows.
#include "find_shared.inc"

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	FIND_SHARED
	movl	$9, 668(%r12)
	movl	$9, 672(%r12)
	movq	$0, 680(%r12)
	movq	$1, 688(%r12)
	movl	$1, 664(%r12)
	mov	%r13, %rsi
	xor	%edi, %edi
	mov	$231, %eax
	syscall
	ret
	.data
	FIND_SHARED_DATA

#: variant    good2
	imul	%rax, %rax
	imul	%rax, %rax
	ret
