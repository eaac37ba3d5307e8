#: title    a feature that no CPU has is warned of
#: needs    avx512wb
	ret
