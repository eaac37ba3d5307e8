#: title      Decrements of byte registers: the latency of one link
#: source     20260328100837.7e6dc7fe@pumpkin
#: about      The parts of which clear_bhb_loop's counters are made, each as a dependent chain of
#: about      24 instructions: a link costs the figure divided by 24. Where a CPU keeps %ah in a
#: about      register of its own, its link can cost more than that of %al (Golden Cove: 3 against
#: about      1) and a read of all of %eax has to merge the two.
#: about      The first rows are the same subtraction on one register after another. al-3-bytes is
#: about      sub $1,%al in the longer encoding, so that length and register can be told apart.
#: about      ax100 has a length-changing prefix, which slows the decoders in a dense run like this
#: about      one. The pairs count as two links: apart are two chains if the halves are renamed apart
#: about      and one if not; crossed writes one half and reads it into the other; merged reads
#: about      %eax after each write of %ah.
#: entry      inline
#: baseline   al

#: variant    al             sub $1,%al
	.rept	24
	sub	$1, %al
	.endr

#: variant    ah             sub $1,%ah
	.rept	24
	sub	$1, %ah
	.endr

#: variant    cl             sub $1,%cl
	.rept	24
	sub	$1, %cl
	.endr

#: variant    ch             sub $1,%ch
	.rept	24
	sub	$1, %ch
	.endr

#: variant    eax            sub $1,%eax
	.rept	24
	sub	$1, %eax
	.endr

#: variant    al-3-bytes     sub $1,%al as long as sub $1,%ah
/* An assembler picks the short form, 2c 01; this is the one with a ModRM byte. */
	.rept	24
	.byte	0x80, 0xe8, 0x01
	.endr

#: variant    ax100          sub $0x100,%ax
	.rept	24
	sub	$0x100, %ax
	.endr

#: variant    dec-ah         dec %ah
	.rept	24
	dec	%ah
	.endr

#: variant    add-ah         add %ah,%ah
	.rept	24
	add	%ah, %ah
	.endr

#: variant    ah-al-apart    sub $1,%ah; sub $1,%al
	.rept	12
	sub	$1, %ah
	sub	$1, %al
	.endr

#: variant    ah-al-crossed  add %al,%ah; add %ah,%al
	.rept	12
	add	%al, %ah
	add	%ah, %al
	.endr

#: variant    ah-merged      sub $1,%ah; sub $1,%eax
	.rept	12
	sub	$1, %ah
	sub	$1, %eax
	.endr
