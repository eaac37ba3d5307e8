#: title      the kernel's words need no include
#: entry      call work
#: feature    X86_FEATURE_SCRIPTED
#: variant    patched
SYM_FUNC_START(work)
	ANNOTATE_NOENDBR
	mov	$1, %eax
	RET
SYM_FUNC_END(work)
