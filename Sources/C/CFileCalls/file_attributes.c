#define _GNU_SOURCE
#include "file_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__

#include <copyfile.h>

int flagboard_copy_attributes(int from, int to, void (*lost)(void *, const char *), void *context) {
    (void) lost;
    (void) context;
    return fcopyfile(from, to, NULL, COPYFILE_ACL | COPYFILE_XATTR);
}

#else

#include <sys/xattr.h>

static const char *const access_list = "system.posix_acl_access";

/// Whether an attribute belongs to the file's owner, and not to the system.
static int is_owners(const char *name) {
    return strncmp(name, "user.", 5) == 0 || strcmp(name, access_list) == 0;
}

/// Whether an attribute says something of the very bytes of the file or of its being a program, which a new file must not claim.
static int is_of_content(const char *name) {
    return strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0
        || strcmp(name, "security.capability") == 0;
}

/// Whether a call failed for a reason other than that there is no such attribute, or that the system knows none.
static int failed_otherwise(void) {
    return errno != ENODATA && errno != ENOTSUP && errno != ENOSYS;
}

/// Whether a file has an attribute of that value already, by the rules of its folder.
static int has(int file, const char *name, const void *value, size_t length) {
    void *found = malloc(length + 1);
    if (found == NULL) return 0;
    ssize_t size = fgetxattr(file, name, found, length + 1);
    int result = size >= 0 && (size_t) size == length && memcmp(found, value, length) == 0;
    free(found);
    return result;
}

static int copy(int from, int to, const char *name) {
    ssize_t size = fgetxattr(from, name, NULL, 0);
    if (size < 0) return errno == ENODATA ? 0 : -1;
    void *value = malloc(size > 0 ? (size_t) size : 1);
    if (value == NULL) return -1;
    int result = -1;
    ssize_t length = fgetxattr(from, name, value, (size_t) size);
    if (length >= 0) {
        result = fsetxattr(to, name, value, (size_t) length, 0);
        int code = errno;
        if (result != 0 && has(to, name, value, (size_t) length)) result = 0;
        errno = code;
    }
    int code = errno;
    free(value);
    errno = code;
    return result;
}

int flagboard_copy_attributes(int from, int to, void (*lost)(void *, const char *), void *context) {
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
        if (is_of_content(name) || copy(from, to, name) == 0) continue;
        if (is_owners(name)) {
            result = -1;
        } else if (lost != NULL) {
            lost(context, name);
        }
    }
    int code = errno;
    free(names);
    errno = code;
    return result;
}

#endif

int flagboard_can_own(const char *folder, uid_t owner, gid_t group) {
#if defined(__linux__) && defined(O_TMPFILE)
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    struct stat status;
    int result = -1;
    if (fstat(file, &status) == 0) {
        int is_owned = status.st_uid == owner && status.st_gid == group;
        result = is_owned || fchown(file, owner, group) == 0;
    }
    close(file);
    return result;
#else
    (void) folder;
    (void) owner;
    (void) group;
    return -1;
#endif
}
