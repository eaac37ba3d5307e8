#: title      The time-stamp counter is switched off
# expected: syscall SIGSYS "prctl (157) is not declared"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$26, %edi
	mov	$2, %esi
	mov	$157, %eax
	syscall		/* here */
	ret
