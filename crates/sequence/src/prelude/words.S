/*
 * The kernel's words that are C macros, written from what they mean there (Linux 6.12 and later).
 * They are preprocessed before every .S file, so each line must cost next to nothing: a body is
 * parsed when its word is first used.
 */
#define __ASSEMBLER__ 1
#define __ASSEMBLY__ 1
#define __KERNEL__ 1
#define __x86_64__ 1
/* What gcc defines for a .S file of this target, whatever its options. */
#define __ELF__ 1
#define __LP64__ 1
#define _LP64 1
#define __amd64 1
#define __amd64__ 1
#define __x86_64 1
#define __k8 1
#define __k8__ 1
#define __linux 1
#define __linux__ 1
#define __gnu_linux__ 1
#define linux 1
#define __unix 1
#define __unix__ 1
#define unix 1
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __VERSION__ "12.2.0"
#define __GCC_HAVE_DWARF2_CFI_ASM 1
#define __GCC_ASM_FLAG_OUTPUTS__ 1
#define __USER_LABEL_PREFIX__
#define __REGISTER_PREFIX__
#define __code_model_small__ 1
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_PDP_ENDIAN__ 3412
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __BIGGEST_ALIGNMENT__ 16
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __SCHAR_WIDTH__ 8
#define __SHRT_WIDTH__ 16
#define __INT_WIDTH__ 32
#define __LONG_WIDTH__ 64
#define __LONG_LONG_WIDTH__ 64
#define __SIZE_WIDTH__ 64
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_INT128__ 16
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_WCHAR_T__ 4
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __MMX__ 1
#define __SSE__ 1
#define __SSE2__ 1
#define __SSE_MATH__ 1
#define __SSE2_MATH__ 1
#define __FXSR__ 1
#define __SEG_FS 1
#define __SEG_GS 1

#define CONFIG_64BIT 1
#define CONFIG_X86_64 1
#define CONFIG_X86 1
#define BITS_PER_LONG 64
#define PAGE_SHIFT 12
#define PAGE_SIZE 4096

#define __stringify_1(words...) #words
#define __stringify(words...) __stringify_1(words)

/* Functions and labels. */
#ifndef CONFIG_FUNCTION_ALIGNMENT
#define CONFIG_FUNCTION_ALIGNMENT 16
#endif
#define ASM_NL ;
#define __ALIGN .balign CONFIG_FUNCTION_ALIGNMENT, 0x90
#define __FUNC_ALIGN __ALIGN
#define SYM_A_ALIGN __ALIGN
#define SYM_A_NONE
#define SYM_F_ALIGN __FUNC_ALIGN
#define SYM_L_GLOBAL(name) .globl name
#define SYM_L_WEAK(name) .weak name
#define SYM_L_LOCAL(name)
#define SYM_T_FUNC @function
#define SYM_T_OBJECT @object
#define SYM_T_NONE @notype
#define SYM_ENTRY(name, linkage, align...) linkage(name); align; name:
#define SYM_START(name, linkage, align...) SYM_ENTRY(name, linkage, align)
#define SYM_END(name, kind) .type name, kind; .size name, .-name
#define SYM_FUNC_START(name) SYM_START(name, SYM_L_GLOBAL, SYM_F_ALIGN)
#define SYM_FUNC_START_NOALIGN(name) SYM_START(name, SYM_L_GLOBAL, SYM_A_NONE)
#define SYM_FUNC_START_LOCAL(name) SYM_START(name, SYM_L_LOCAL, SYM_F_ALIGN)
#define SYM_FUNC_START_LOCAL_NOALIGN(name) SYM_START(name, SYM_L_LOCAL, SYM_A_NONE)
#define SYM_FUNC_START_WEAK(name) SYM_START(name, SYM_L_WEAK, SYM_F_ALIGN)
#define SYM_FUNC_START_WEAK_NOALIGN(name) SYM_START(name, SYM_L_WEAK, SYM_A_NONE)
#define SYM_FUNC_END(name) SYM_END(name, SYM_T_FUNC)
#define SYM_TYPED_FUNC_START(name) SYM_FUNC_START(name) ENDBR
#define SYM_CODE_START(name) SYM_START(name, SYM_L_GLOBAL, SYM_A_ALIGN)
#define SYM_CODE_START_NOALIGN(name) SYM_START(name, SYM_L_GLOBAL, SYM_A_NONE)
#define SYM_CODE_START_LOCAL(name) SYM_START(name, SYM_L_LOCAL, SYM_A_ALIGN)
#define SYM_CODE_START_LOCAL_NOALIGN(name) SYM_START(name, SYM_L_LOCAL, SYM_A_NONE)
#define SYM_CODE_END(name) SYM_END(name, SYM_T_NONE)
#define SYM_INNER_LABEL(name, linkage) .type name, SYM_T_NONE; SYM_ENTRY(name, linkage, SYM_A_NONE)
#define SYM_INNER_LABEL_ALIGN(name, linkage) .type name, SYM_T_NONE; SYM_ENTRY(name, linkage, SYM_A_ALIGN)
#define SYM_DATA_START(name) SYM_START(name, SYM_L_GLOBAL, SYM_A_NONE)
#define SYM_DATA_START_LOCAL(name) SYM_START(name, SYM_L_LOCAL, SYM_A_NONE)
#define SYM_DATA_END(name) SYM_END(name, SYM_T_OBJECT)
#define SYM_DATA(name, data...) SYM_DATA_START(name) data; SYM_DATA_END(name)
#define SYM_DATA_LOCAL(name, data...) SYM_DATA_START_LOCAL(name) data; SYM_DATA_END(name)
#define SYM_FUNC_ALIAS(alias, name) .globl alias; .set alias, name; .type alias, SYM_T_FUNC
#define SYM_FUNC_ALIAS_LOCAL(alias, name) .set alias, name; .type alias, SYM_T_FUNC
#define SYM_FUNC_ALIAS_WEAK(alias, name) .weak alias; .set alias, name; .type alias, SYM_T_FUNC
#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)
#define EXPORT_SYMBOL_FOR_KVM(name)
#define _ASM_NOKPROBE(name)
#define STACK_FRAME_NON_STANDARD(name)
#define STACK_FRAME_NON_STANDARD_FP(name)

/* Returns and indirect branches. */
#if __has_feature_word(X86_FEATURE_RETHUNK)
#define RET jmp __x86_return_thunk
#else
#define RET ret; int3
#endif
#ifdef CONFIG_X86_KERNEL_IBT
#define ENDBR endbr64
#else
#define ENDBR
#endif
#define RETPOLINE_THUNK_SIZE 32
#define RSB_CLEAR_LOOPS 32
#define RSB_FILL_LOOPS 16
#define __FILL_RETURN_SLOT call 772f; int3; 772:
#define __FILL_RETURN_BUFFER(reg, nr) mov $(nr/2), reg; 771: __FILL_RETURN_SLOT; __FILL_RETURN_SLOT; add $16, %rsp; dec reg; jnz 771b; lfence
#define __FILL_ONE_RETURN __FILL_RETURN_SLOT; add $8, %rsp; lfence

/* Alternatives: a feature's word is 1 where the feature is in force and 0 where it is not. */
#define ALT_FLAG_NOT 0x10000
#define ALT_NOT(feature) (ALT_FLAG_NOT | (feature))
#define ALT_NOT_XEN ALT_NOT(X86_FEATURE_XENPV)
#define ALT_DIRECT_CALL(feature) (feature)
#define ALT_CALL_ALWAYS (1)

/* Words for both sizes of kernel. */
#define __ASM_REG(reg) r##reg
#define __ASM_SIZE(inst, rest...) inst##q##rest
#define _ASM_SIZE(inst, rest...) inst##q##rest
#define _ASM_AX rax
#define _ASM_BX rbx
#define _ASM_CX rcx
#define _ASM_DX rdx
#define _ASM_SP rsp
#define _ASM_BP rbp
#define _ASM_SI rsi
#define _ASM_DI rdi
#define _ASM_ARG1 rdi
#define _ASM_ARG2 rsi
#define _ASM_ARG3 rdx
#define _ASM_ARG4 rcx
#define _ASM_ARG5 r8
#define _ASM_ARG6 r9
#define _ASM_PTR .quad
#define _ASM_ALIGN .balign 8
#define _ASM_MOV movq
#define _ASM_INC incq
#define _ASM_DEC decq
#define _ASM_ADD addq
#define _ASM_SUB subq
#define _ASM_XADD xaddq
#define _ASM_MUL mulq
#define _ASM_RIP(symbol) symbol(%rip)
#define _ASM_EXTABLE(from, to)
#define _ASM_EXTABLE_UA(from, to)
#define _ASM_EXTABLE_TYPE(from, to, type)
#define PER_CPU_VAR(symbol) %gs:symbol(%rip)
#define ASM_NOP1 .nops 1, 8
#define ASM_NOP2 .nops 2, 8
#define ASM_NOP3 .nops 3, 8
#define ASM_NOP4 .nops 4, 8
#define ASM_NOP5 .nops 5, 8
#define ASM_NOP6 .nops 6, 8
#define ASM_NOP7 .nops 7, 8
#define ASM_NOP8 .nops 8, 8

/* The saved registers, by their offset from the lowest. */
#define R15 0
#define R14 8
#define R13 16
#define R12 24
#define RBP 32
#define RBX 40
#define R11 48
#define R10 56
#define R9 64
#define R8 72
#define RAX 80
#define RCX 88
#define RDX 96
#define RSI 104
#define RDI 112
#define ORIG_RAX 120
#define RIP 128
#define CS 136
#define EFLAGS 144
#define RSP 152
#define SS 160
#define SIZEOF_PTREGS 168
#define FRAME_SIZE 168

/* Selectors and flags. */
#define __KERNEL32_CS 0x08
#define __KERNEL_CS 0x10
#define __KERNEL_DS 0x18
#define __USER32_CS 0x23
#define __USER_DS 0x2b
#define __USER_CS 0x33
#define X86_EFLAGS_CF_BIT 0
#define X86_EFLAGS_PF_BIT 2
#define X86_EFLAGS_AF_BIT 4
#define X86_EFLAGS_ZF_BIT 6
#define X86_EFLAGS_SF_BIT 7
#define X86_EFLAGS_TF_BIT 8
#define X86_EFLAGS_IF_BIT 9
#define X86_EFLAGS_DF_BIT 10
#define X86_EFLAGS_OF_BIT 11
#define X86_EFLAGS_IOPL_BIT 12
#define X86_EFLAGS_NT_BIT 14
#define X86_EFLAGS_RF_BIT 16
#define X86_EFLAGS_VM_BIT 17
#define X86_EFLAGS_AC_BIT 18
#define X86_EFLAGS_VIF_BIT 19
#define X86_EFLAGS_VIP_BIT 20
#define X86_EFLAGS_ID_BIT 21
#define X86_EFLAGS_CF 0x1
#define X86_EFLAGS_FIXED 0x2
#define X86_EFLAGS_PF 0x4
#define X86_EFLAGS_AF 0x10
#define X86_EFLAGS_ZF 0x40
#define X86_EFLAGS_SF 0x80
#define X86_EFLAGS_TF 0x100
#define X86_EFLAGS_IF 0x200
#define X86_EFLAGS_DF 0x400
#define X86_EFLAGS_OF 0x800
#define X86_EFLAGS_IOPL 0x3000
#define X86_EFLAGS_NT 0x4000
#define X86_EFLAGS_RF 0x10000
#define X86_EFLAGS_VM 0x20000
#define X86_EFLAGS_AC 0x40000
#define X86_EFLAGS_VIF 0x80000
#define X86_EFLAGS_VIP 0x100000
#define X86_EFLAGS_ID 0x200000
