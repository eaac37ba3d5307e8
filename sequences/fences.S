#: title      Fences and other instructions that mitigations lean on
#: source     Intel Software Developer's Manual, volume 2
#: source     Documentation/admin-guide/hw-vuln/mds.rst
#: about      One instruction a run, run after run with nothing between: the least it costs. What a
#: about      fence costs in a program depends on the loads and stores it has to wait for.
#: about      verw takes a writable data segment from memory, the form that clears CPU buffers
#: about      where the CPU enumerates MD_CLEAR; elsewhere it only checks the segment.
#: about      pause is a wait whose length each model chooses: about 10 cycles up to Broadwell,
#: about      about 140 on Skylake. In a guest cpuid leaves to the hypervisor, and costs
#: about      microseconds.
#: entry      inline
#: baseline   lfence

#: variant    lfence      waits for what is before it, starts nothing after it
	lfence

#: variant    mfence      waits for loads and stores
	mfence

#: variant    serialize   drains the pipeline, changes no register
#: needs      serialize
	serialize

#: variant    pause       spin-loop hint
	pause

#: variant    verw        memory operand, __USER_DS
	.data
/* __USER_DS: in the kernel it is __KERNEL_DS, which user mode could not verify. */
writable:
	.word	0x2b
	.text
	verw	writable

#: variant    rdtscp      reads the clock once earlier instructions are done
#: needs      rdtscp
	rdtscp

#: variant    cpuid       leaf 0, serializes as well
	xorl	%eax, %eax
	xorl	%ecx, %ecx
	cpuid
