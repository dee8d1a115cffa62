#define _GNU_SOURCE
#include "file_attributes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__

#include <copyfile.h>

int flagboard_copy_attributes(int from, int to) {
    return fcopyfile(from, to, NULL, COPYFILE_ACL | COPYFILE_XATTR);
}

#else

#include <sys/xattr.h>

static const char *const access_list = "system.posix_acl_access";

/// Whether an attribute belongs to the file's owner, and not to the system.
static int is_owners(const char *name) {
    return strncmp(name, "user.", 5) == 0 || strcmp(name, access_list) == 0;
}

/// Whether a call failed for a reason other than that there is no such attribute, or that the system knows none.
static int failed_otherwise(void) {
    return errno != ENODATA && errno != ENOTSUP && errno != ENOSYS;
}

static int copy(int from, int to, const char *name) {
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0) return errno == ENODATA ? 0 : -1;
    void *value = malloc(size > 0 ? (size_t) size : 1);
    if (value == NULL) return -1;
    int result = -1;
    ssize_t length = fgetxattr(from, name, value, (size_t) size);
    if (length >= 0) result = fsetxattr(to, name, value, (size_t) length, 0);
    int code = errno;
    free(value);
    errno = code;
    return result;
}

int flagboard_copy_attributes(int from, int to) {
    // A new file may have got a list from its folder.
    if (fgetxattr(from, access_list, NULL, 0) < 0) {
        if (failed_otherwise()) return -1;
        if (fremovexattr(to, access_list) != 0 && failed_otherwise()) return -1;
    }
    ssize_t size = flistxattr(from, NULL, 0);
    if (size < 0) return failed_otherwise() ? -1 : 0;
    if (size == 0) return 0;
    char *names = malloc((size_t) size);
    if (names == NULL) return -1;
    ssize_t length = flistxattr(from, names, (size_t) size);
    int result = length < 0 ? -1 : 0;
    for (const char *name = names; result == 0 && name < names + length; name += strlen(name) + 1) {
        if (is_owners(name)) result = copy(from, to, name);
    }
    int code = errno;
    free(names);
    errno = code;
    return result;
}

#endif
