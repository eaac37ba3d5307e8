/* Symbols of every kind that a compiler writes: aliases, indirect and weak functions, thread-local data, sections. */
extern int outside(int); extern __thread int outside_tls;
__thread int own_tls = 1; static __thread int static_tls; __thread char zeroed_tls[100];
static int local_function(int x) { return outside(x) + own_tls + static_tls++ + outside_tls + zeroed_tls[x]; }
int exported(int x) { return local_function(x) * 2; }
extern int alias(int) __attribute__((alias("exported")));
extern int weak_alias(int) __attribute__((weak, alias("exported")));
static int hidden_alias(int) __attribute__((alias("exported")));
extern int may_be_missing(int) __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden(int x) { return x + 1; }
__attribute__((visibility("protected"))) int protected_(int x) { return hidden(x) + hidden_alias(x); }
static int first(int x) { return x; } static int second(int x) { return -x; }
static void *resolve(void) { return outside(0) ? (void *)first : (void *)second; }
int indirect(int) __attribute__((ifunc("resolve")));
static int static_indirect(int) __attribute__((ifunc("resolve")));
int calls(int x) { return indirect(x) + static_indirect(x) + alias(x) + weak_alias(x) + (may_be_missing ? may_be_missing(x) : 0); }
int tail(int x) { return exported(x); }
int tail_hidden(int x) { return hidden(x); }
int common; static int zero[1000]; const char *const strings[] = {"one", "two", "three", "one" "two"};
__attribute__((section(".special"))) int in_section = 5; __attribute__((section(".special_text"))) int code_in_section(int x) { return zero[x] + common; }
__attribute__((constructor)) static void starts(void) { common = 3; }
__attribute__((destructor)) static void ends(void) { common = 4; }
__attribute__((cold)) int rare(int x) { return outside(x) + in_section; }
int hot(int x) { if (__builtin_expect(x > 1000, 0)) return rare(x) + outside(rare(x)); return x; }
void *pointers[] = {exported, &common, zero + 5, local_function, (void *)strings, indirect, static_indirect, may_be_missing};
char large[100000]; int in_large(int x) { return large[x] + (long)&large[5]; }
