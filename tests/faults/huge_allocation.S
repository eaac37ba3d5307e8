#: title      A mapping of a terabyte, and a store to what it gives
# expected: signal SIGSEGV "not mapped"
# The limit on memory refuses it: -ENOMEM is no address.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   mmap
	xor	%edi, %edi
	movabs	$0x10000000000, %rsi
	mov	$3, %edx
	mov	$0x8022, %r10d
	mov	$-1, %r8
	xor	%r9d, %r9d
	mov	$9, %eax
	syscall
	mov	%rcx, (%rax)		/* here */
	ret
