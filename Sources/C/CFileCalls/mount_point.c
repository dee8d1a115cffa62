#define _GNU_SOURCE
#include "mount_point.h"

#include <fcntl.h>
#include <sys/stat.h>

int flagboard_is_mount_point(const char *path) {
#if defined(__linux__) && defined(STATX_ATTR_MOUNT_ROOT)
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &status) != 0) return -1;
    if (!(status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)) return -1;
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
    return -1;
#endif
}
