#: title      Dependent multiplications in a called function
#: about      A sweep of LINKS shows whether two lengths take the harness off: each further link has to
#: about      cost what a multiplication takes, whatever the number of them.
#: param      LINKS 1 10 100 200
#: between    chained isolated
#: variant    imul
	.rept	LINKS
	imul	%rax, %rax
	.endr
	ret
