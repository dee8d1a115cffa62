#define _GNU_SOURCE
#include "file_exchange.h"

#include <fcntl.h>
#include <stdio.h>

int flagboard_exchange(const char *first, const char *second) {
#ifdef __APPLE__
    return renamex_np(first, second, RENAME_SWAP);
#else
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
#endif
}
