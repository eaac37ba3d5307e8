#: title      An advice on memory that is not the process's own matter
# expected: syscall SIGSYS "may not advise on the machine's memory"
# The number means nothing: those that do (MADV_HWPOISON and MADV_SOFT_OFFLINE) are for root, and lie
# as far beyond the others.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   madvise
	xor	%edi, %edi
	xor	%esi, %esi
	mov	$0x70000000, %edx
	mov	$28, %eax
	syscall		/* here */
	ret
