#: title      A store to the data of the harness
# expected: tampered "harness's own data"
# How far it is from the stack is known from crates/machine/src/image: control region,
# clean state, random bits, stack, each behind a guard.
#: baseline   good

#: variant    good
	imul	%rax, %rax
	ret

#: variant    bad
	movq	$0, 72-0x20000+0x7f8(%rsp)
	ret
