#: titel      a word that is none
#: param      COUNT
#: baseline   nobody
#: variant    a
	ret
#: variant    a
	ret
#: between    sideways
#: entry      jump
