#: title      The null system call, with and without a seccomp filter
#: source     linux-kernel, seccomp without IRET on the slow path (x86_64 entry, July 2014)
#: about      getppid by the syscall instruction, as perf bench syscall basic does it. The entry's
#: about      mitigations and the exit's are in the figure: compare machines and boots with it.
#: about      none has no filter. cached has one that allows everything without looking, which the
#: about      kernel answers from a bitmap. The accept forms load an argument, so that their 2, 50
#: about      or 500 instructions really run on each call.
#: between    chained
#: verdict    chained
#: syscalls   getppid
#: baseline   none

	.macro	null_syscall
	movl	$110, %eax
	syscall
	ret
	.endm

#: variant    none         no filter
#: filter     none
	null_syscall

#: variant    cached       a lone ALLOW
#: filter     cached
	null_syscall

#: variant    accept-2     a filter of 2 instructions
#: filter     accept 2
	null_syscall

#: variant    accept-50    a filter of 50 instructions
#: filter     accept 50
	null_syscall

#: variant    accept-500   a filter of 500 instructions
#: filter     accept 500
	null_syscall
