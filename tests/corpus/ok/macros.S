#: title      macros, the C preprocessor, local labels of each variant
#define TIMES 4
#define LOAD(reg, value) mov $value, reg
#: param      DEPTH 2
	.macro	tree low high
	.if	\high - \low > 1
	cmp	$((\low + \high) / 2), %eax
	jb	.Lleft\@
	tree	((\low + \high) / 2), \high
.Lleft\@:
	tree	\low, ((\low + \high) / 2)
	.else
	ret
	.endif
	.endm
#: variant    a
1:	LOAD(%eax, TIMES)
	tree	0, 4
#: variant    b
1:	LOAD(%ecx, 1)
	loop	1b
	ret
