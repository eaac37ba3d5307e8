#ifdef CONFIG_X86_64
	ret
#endif
