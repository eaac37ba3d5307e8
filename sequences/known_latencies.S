#: title      Latencies that are known: a check of the ruler
#: source     https://uops.info/table.html
#: source     https://www.agner.org/optimize/instruction_tables.pdf
#: about      Dependent chains of 24 instructions, each feeding the next: a link costs the figure
#: about      divided by 24. If these do not come out as published, cycles of other sequences on
#: about      this machine are not to be trusted either. Cycles per link as published:
#: about      imul: 3 on Intel P-cores and Zen, 5 on Gracemont, 4 on Skymont.
#: about      popcnt: 3 on Intel P-cores (4 on Lion Cove), 1 on Zen.
#: about      crc32: 3 (4 on Lion Cove).
#: about      adc: 1 (2 on Haswell and on E-cores).
#: about      mulx: 3 to 4, by which half of the product is waited for; here it is the low one.
#: about      l1-chase: 4 on Skylake and Zen, 5 since Sunny Cove; L1 is what a load that hits
#: about      takes before its result is the address of the next.
#: entry      inline
#: baseline   imul

#: variant    imul       imul %rax,%rax
#: setup
	movl	$3, %eax
#: body
	.rept	24
	imulq	%rax, %rax
	.endr

#: variant    popcnt     popcnt %rax,%rax
#: needs      popcnt
#: setup
	movl	$3, %eax
#: body
	.rept	24
	popcntq	%rax, %rax
	.endr

#: variant    crc32      crc32q %rax,%rax
#: needs      sse4_2
#: setup
	movl	$3, %eax
#: body
	.rept	24
	crc32q	%rax, %rax
	.endr

#: variant    adc        adc %rax,%rax
#: setup
	movl	$3, %eax
#: body
	.rept	24
	adcq	%rax, %rax
	.endr

#: variant    mulx       mulx %rax,%rax,%rcx: the low half feeds the next
#: needs      bmi2
#: setup
	movl	$3, %eax
	movl	$3, %edx
#: body
	.rept	24
	mulxq	%rax, %rax, %rcx
	.endr

#: variant    l1-chase   mov (%rax),%rax: a pointer that points to itself
	.data
	.balign	64
chase:	.quad	chase
	.text
#: setup
	movl	$chase, %eax
#: body
	.rept	24
	movq	(%rax), %rax
	.endr
