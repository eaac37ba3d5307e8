#: variant    a
	"movl %%eax, %%ecx\n"
	"ret\n"
