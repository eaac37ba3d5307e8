#: variant    a
#if FOO(
	ret
#endif
#error this cannot be
#include "no-such.h"
