#: title      A stack pointer that points nowhere
# expected: signal SIGSEGV "0xfffffffffffffff8"
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	xor	%esp, %esp
	push	%rax		/* here */
	ret
