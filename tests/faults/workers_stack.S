#: title      The worker's stack pointer, as the harness keeps it, is set to zero
# expected: signal SIGSEGV "harness"
# As in harness_data.S.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movq	$0, 72-0x20000(%rsp)
	ret
