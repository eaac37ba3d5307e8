#: title      Ways back from an interrupt: iretq in place, by the entry stack, and others
#: source     linux-kernel, interrupt return paths (x86/entry, November 2023)
#: source     linux-kernel, seccomp without IRET on the slow path (x86_64 entry, July 2014)
#: about      What the exit from an interrupt or a slow system call costs. Each run builds its
#: about      frame by pushes, returns through it to the next line, and ends by a plain ret.
#: about      iretq returns from where the frame lies; iretq-copied copies it to another stack
#: about      first, which only page-table isolation needs. The regs- forms stand behind the 15
#: about      pushes and pops of the general registers, as in the kernel.
#: about      Privilege does not change here: the checks and switches that come with a change of
#: about      ring are not in these figures. The forms that need ring 0 are assembled, and run
#: about      where ring 0 can be had: with a CR3 write, with swapgs (in and out), and sysretq,
#: about      which continues in user mode. Under FRED the kernel leaves by ERETU instead.
#: baseline   ret

	.data
	.balign	64
selector_ss:	.quad	0
selector_cs:	.quad	0
	.text

#: setup
	movl	%ss, %eax
	movq	%rax, selector_ss
	movl	%cs, %eax
	movq	%rax, selector_cs
#: body

/*
 * The five words that the CPU pushes on an interrupt, and the place of the error code. The flags
 * are constant, IF and the bit that is always one, so that TF and DF cannot get in.
 */
	.macro	interrupt_frame to
	movq	%rsp, %rax
	pushq	selector_ss
	pushq	%rax
	pushq	$0x202
	pushq	selector_cs
	pushq	$\to
	.endm

	.macro	save_registers
	pushq	$-1
	.irp	reg, di, si, dx, cx, ax
	pushq	%r\reg
	.endr
	.irp	reg, r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15
	pushq	%\reg
	.endr
	.endm

	.macro	restore_registers
	.irp	reg, r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8
	popq	%\reg
	.endr
	.irp	reg, ax, cx, dx, si
	popq	%r\reg
	.endr
	.endm

/*
 * Behind restore_registers %rdi, the error code's word and the frame are left; %rdi carries the
 * old stack's address until it is restored from the copy.
 */
	.macro	copy_frame
	movq	%rsp, %rdi
	movl	$entry_stack_top, %esp
	pushq	6 * 8(%rdi)
	pushq	5 * 8(%rdi)
	pushq	4 * 8(%rdi)
	pushq	3 * 8(%rdi)
	pushq	2 * 8(%rdi)
	pushq	(%rdi)
	.endm

#: variant    ret                 call; ret
	call	1f
	ret
1:	ret

#: variant    popfq-ret           call; popfq; ret
	call	1f
	ret
1:	pushq	$0x202
	popfq
	ret

#: variant    lretq               far return
	pushq	selector_cs
	pushq	$1f
	lretq
1:	ret

#: variant    iretq               in place
	interrupt_frame 1f
	iretq
1:	ret

#: variant    iretq-copied        frame copied to the entry stack
	interrupt_frame 1f
	pushq	$-1
	pushq	%rdi
	copy_frame
	popq	%rdi
	iretq
1:	ret

#: variant    regs-iretq          all registers restored, in place
	interrupt_frame 1f
	save_registers
	restore_registers
	popq	%rdi
	addq	$8, %rsp
	iretq
1:	ret

#: variant    regs-iretq-copied   all registers restored, frame copied
	interrupt_frame 1f
	save_registers
	restore_registers
	copy_frame
	popq	%rdi
	iretq
1:	ret

#: variant    regs-iretq-cr3      the same, with the CR3 write of isolation
#: needs      ring0
	interrupt_frame 1f
	save_registers
	restore_registers
	copy_frame
	movq	%cr3, %rdi
	movq	%rdi, %cr3
	popq	%rdi
	iretq
1:	ret

#: variant    regs-iretq-swapgs   in place, swapgs in and out
#: needs      ring0
	swapgs
	interrupt_frame 1f
	save_registers
	restore_registers
	popq	%rdi
	addq	$8, %rsp
	swapgs
	iretq
1:	ret

#: variant    regs-sysretq        all registers restored, the fast return
#: needs      ring0
	interrupt_frame 1f
	save_registers
	restore_registers
	popq	%rdi
	movq	8(%rsp), %rcx
	movq	24(%rsp), %r11
	movq	32(%rsp), %rsp
	sysretq
1:	ret
