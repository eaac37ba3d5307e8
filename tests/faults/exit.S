#: title      An exit
# expected: exit "exit_group with status 7"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$231, %eax
	mov	$7, %edi
	syscall		/* here */
	ret
