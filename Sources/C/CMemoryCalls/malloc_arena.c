#include "malloc_arena.h"

#include <stdlib.h>

#ifdef __GLIBC__

#include <malloc.h>

int flagboard_share_arena(void) {
    return mallopt(M_ARENA_MAX, 1);
}

#else

int flagboard_share_arena(void) {
    return 1;
}

#endif
