#: title      A timer of its own
# expected: signal SIGALRM "of a timer that it set"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
#: syscalls   alarm pause
	mov	$1, %edi
	mov	$37, %eax
	syscall
	mov	$34, %eax
	syscall		/* here */
	ret
