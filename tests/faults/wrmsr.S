#: title      A privileged instruction: wrmsr
# expected: signal SIGSEGV "privileged"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	mov	$0x48, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr		/* here */
	ret
