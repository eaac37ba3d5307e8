#: title      The time at which its own sample began is set to zero
# expected: tampered "cannot be"
# As in harness_data.S.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movq	$0, 72-0x20000+0x8(%rsp)
	ret
