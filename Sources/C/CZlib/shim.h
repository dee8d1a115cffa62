#ifndef FLAGBOARD_CZLIB_SHIM_H
#define FLAGBOARD_CZLIB_SHIM_H

#include <zlib.h>

/* deflateInit2 is a macro, which Swift can't call; 16 more window bits ask for gzip's wrapping (RFC 1952). */
static inline int flagboard_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
