#: title    a file with everything that a reader looks for
#: param    N 1 2
#: random   table 16 3
#: entry    call f
#define F(x, y...) #x y ## 1
#if N
f:	nop
#endif
#: variant  a  text
	ALTERNATIVE "call g", "", X86_FEATURE_A
g:	RET
#: setup
	.intel_syntax noprefix
	mov	eax, dword ptr [rbx+4*rcx-8]
	.att_syntax
#: diff     b c
> @@ -1,2 +1,2 @@
>  f2: nop
> -	ret
> +	jmp	f2
