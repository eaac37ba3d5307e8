#: title      A return into the middle of an instruction
# expected: signal SIGILL "invalid instruction"
# The bytes behind the opcode of the mov are those of ud2.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	lea	1f+1(%rip), %rax
	push	%rax
	ret
1:	mov	$0x0b0f, %eax		/* here */
	ret
