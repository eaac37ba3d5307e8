#: title      The same bytes in two places: does a loop's line matter
#: source     https://www.intel.com/content/dam/support/us/en/documents/processors/mitigations-jump-conditional-code-erratum.pdf
#: source     https://www.agner.org/optimize/microarchitecture.pdf
#: about      Both variants are the same instructions, byte for byte: the inner loop of clear_bhb_loop,
#: about      LOOPS turns of two taken branches. In "inside" the loop lies in one 32-byte block; in
#: about      "across" its first jump has a byte on either side of the end of a line. Cores of the
#: about      Skylake family with the microcode against the JCC erratum (SKX102) do not keep a block with
#: about      a branch that crosses or ends at a 32-byte boundary in their cache of decoded instructions,
#: about      and decode it anew on each turn; on Golden Cove, which has no such erratum, a turn takes
#: about      three cycles in place of some two. A difference here is one of placement alone. With
#: about      --layouts 8 both are moved through the line together: what is left then belongs to single
#: about      offsets, and the table says so. Use it as a check that the sweep tells what it should.
#: param      LOOPS 100 20
#: baseline   inside
#: between    chained isolated

	.macro	two_branches
	movl	$LOOPS, %ecx
1:	jmp	2f
	nop
2:	subl	$1, %ecx
	jnz	1b
	ret
	.endm

#: variant    inside     the loop at bytes 5 to 12 of its line
	two_branches

#: variant    across     the loop at bytes 63 to 70: its first jump crosses a line
#: offset     58
	two_branches
