#: title      Returns: plain, through thunks, placed against ITS, and the SRSO form
#: source     Documentation/admin-guide/hw-vuln/indirect-target-selection.rst
#: source     Documentation/admin-guide/hw-vuln/srso.rst
#: about      Each run calls one leaf function eight times; a call and its return cost the figure
#: about      divided by 8, less the last ret. Returns in the lower half of a 64-byte line are open
#: about      to indirect target selection (ITS); the mitigation moves them to the upper half.
#: about      ret and thunk stand in the lower half, ret-upper and thunk-upper in the upper one.
#: about      its-csN calls the leaf through the ITS thunk for indirect branches, a jmp *%rax in
#: about      the upper half of a line, with N CS prefixes on the jmp: how much they lengthen it
#: about      without a change of meaning. The leaf's own ret is then in the upper half as well.
#: about      srso is what runs on Zen 3 and 4 in place of ret: a call, whose return address is
#: about      dropped by lea, so that the ret after it finds a return address predicted by that
#: about      call and no other.
#: baseline   ret

/* All variants load %rax, so that those that need the address do not pay for it alone. */
	.macro	eight_calls to
	movl	$leaf, %eax
	.rept	8
	call	\to
	.endr
	ret
	.endm

	.macro	its_thunk prefixes
	.balign	64, 0xcc
	.skip	32, 0xcc
its_thunk_rax:
	.rept	\prefixes
	.byte	0x2e
	.endr
	jmp	*%rax
	int3
	.balign	64, 0xcc
	.skip	32, 0xcc
leaf:	ret
	int3
	.endm

#: variant    ret           in the lower half of a line
	eight_calls leaf
	.balign	64, 0xcc
leaf:	ret
	int3

#: variant    ret-upper     in the upper half of a line
	eight_calls leaf
	.balign	64, 0xcc
	.skip	32, 0xcc
leaf:	ret
	int3

#: variant    thunk         jmp to a thunk with ret, in the lower half
	eight_calls leaf
	.balign	64, 0xcc
leaf:	jmp	return_thunk
	.balign	64, 0xcc
return_thunk:
	ret
	int3

#: variant    thunk-upper   the ITS return thunk: ret in the upper half
	eight_calls leaf
	.balign	64, 0xcc
leaf:	jmp	return_thunk
	.balign	64, 0xcc
	.skip	32, 0xcc
return_thunk:
	ret
	int3

#: variant    its-cs0       call through the ITS thunk, jmp *%rax
	eight_calls its_thunk_rax
	its_thunk 0

#: variant    its-cs1       the same, one CS prefix
	eight_calls its_thunk_rax
	its_thunk 1

#: variant    its-cs3       the same, three CS prefixes
	eight_calls its_thunk_rax
	its_thunk 3

#: variant    its-cs5       the same, five CS prefixes
	eight_calls its_thunk_rax
	its_thunk 5

#: variant    srso          jmp to a thunk that calls lea 8(%rsp); ret
	eight_calls leaf
	.balign	64, 0xcc
leaf:	jmp	return_thunk
	.balign	64, 0xcc
return_thunk:
	call	safe_ret
	ud2
	.balign	64, 0xcc
safe_ret:
	leaq	8(%rsp), %rsp
	ret
	int3
