#: title      The pages of the shared memory are thrown away
# expected: tampered "wrote over"
# All of 64 MiB below the thread's own data, where the worker maps what it shares with its parent.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   madvise
	rdfsbase	%r8
	and	$-4096, %r8
	mov	$0x4000, %r9d
1:	sub	$4096, %r8
	mov	%r8, %rdi
	mov	$4096, %esi
	mov	$9, %edx
	mov	$28, %eax
	syscall
	dec	%r9d
	jnz	1b
	ret
