#: title      After a cleared history: what the code behind it pays
#: source     https://www.intel.com/content/www/us/en/developer/articles/technical/software-security-guidance/technical-documentation/branch-history-injection.html
#: source     20260328100837.7e6dc7fe@pumpkin
#: about      A loop that overwrites the branch history costs its own time, and what the branches
#: about      behind it lose: they are predicted by the history in front of it. Here a block before
#: about      the body branches on BITS random bits, and a block after it branches on bits again. With
#: about      -same these are the same bits, in the same order, so that whoever still sees the history
#: about      foretells each of them; with -fixed they are constant, and need no history. What is
#: about      measured is the body with both blocks, less both blocks round an empty function: the
#: about      body's own cost, and what it makes the block behind it cost more.
#: about      clear- clears as the kernel does (INNER and OUTER turns, then lfence). keep- has a chain
#: about      without branches, and lfence, in its place. So clear-same less clear-fixed is the cost that the code behind
#: about      a cleared history sees (some BITS/2 mispredictions a run where none is left of it), and
#: about      keep-same less keep-fixed is the check: near nothing.
#: about      A loop that does not displace the whole history (5x5) can make that code pay as much: what
#: about      is left is farther away, behind the loop's own branches. How much a CPU's history holds
#: about      says thunklab probe --length.
#: param      OUTER 12 5
#: param      INNER 7 5
#: param      BITS 4 2 8
#: random     coins 16392 2
#: baseline   clear-fixed
#: between    chained isolated

	.data
	.balign	64
place:	.long	0
	.text

/*
 * Draws the next BITS coins, a byte each, into %r8, keeping the place in memory: a run sees new
 * ones, and a sample never sees a coin twice.
 */
	.macro	draw
	movl	place(%rip), %edx
	movq	coins(%rdx), %r8
	addl	$BITS, %edx
	andl	$16383, %edx
	movl	%edx, place(%rip)
	.endm

/*
 * Taken branches that are always the same. Predictors look up a branch by some length of history,
 * the shortest of which may hold 34 taken branches: without these it would reach back to the coins
 * of earlier runs, and no two histories would be alike.
 */
	.macro	steady
	.rept	40
	jmp	1f
	int3
1:
	.endr
	.endm

/*
 * One taken branch for each byte of %r8, from one place where it is 1 and from another where it is
 * 0, to the same target. Histories that hold the addresses of taken branches alone tell both apart.
 */
	.macro	branches
	.irp	bit, 0, 1, 2, 3, 4, 5, 6, 7
	.if	\bit < BITS
	btq	$(8 * \bit), %r8
	jc	1f
	jmp	1f
1:
	.endif
	.endr
	.endm

	.macro	clear
	movl	$OUTER, %ecx
	call	1f
	jmp	5f
1:	call	2f
	ret
2:	movl	$INNER, %eax
3:	jmp	4f
	nop
4:	subl	$1, %eax
	jnz	3b
	subl	$1, %ecx
	jnz	1b
	ret
5:	lfence
	ret
	.endm

	.macro	keep
	movl	$3, %eax
	.rept	72
	imull	%eax, %eax
	.endr
	lfence
	ret
	.endm

	.macro	fixed
	movq	$0x0001000100010001, %r8
	.endm

#: variant    clear-fixed   clears; the branches behind it are constant
#: before
	draw
	steady
	branches
#: body
	clear
#: after
	fixed
	branches

#: variant    clear-same    clears; the branches behind it repeat those before it
#: before
	draw
	steady
	branches
#: body
	clear
#: after
	branches

#: variant    keep-fixed    no branches; the branches behind it are constant
#: before
	draw
	steady
	branches
#: body
	keep
#: after
	fixed
	branches

#: variant    keep-same     no branches; the branches behind it repeat those before it
#: before
	draw
	steady
	branches
#: body
	keep
#: after
	branches
