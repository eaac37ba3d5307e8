#define __ASSEMBLER__ 1
#define __ASSEMBLY__ 1
#define __KERNEL__ 1
#define __x86_64__ 1
#define CONFIG_64BIT 1
#define CONFIG_X86_64 1
#define CONFIG_X86 1
#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#if __has_feature_word(X86_FEATURE_RETHUNK)
#define RET jmp __x86_return_thunk
#else
#define RET ret; int3
#endif
#define SYM_FUNC_START(name) .globl name; .balign 16, 0x90; name:
#define SYM_FUNC_END(name) .type name, @function; .size name, .-name
